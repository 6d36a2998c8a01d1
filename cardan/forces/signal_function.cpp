#include "cardan/forces/signal_function.hpp"

#include "cardan/program/internal/expression_limits.hpp"

#include <algorithm>

namespace cardan {

namespace {

void add_once(std::vector<int>& list, int entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

bool is_of_body(Signal::Kind kind) {
  return kind == Signal::Kind::position || kind == Signal::Kind::point_velocity ||
         kind == Signal::Kind::angular_velocity;
}

}  // namespace

bool operator==(const Signal& a, const Signal& b) {
  if (a.kind != b.kind) return false;
  if (!is_of_body(a.kind)) return a.index == b.index;
  return a.body == b.body && a.axis == b.axis && a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

SignalFunction::SignalFunction(std::vector<Signal> signals, Graph& graph, std::span<const Expr> outputs)
    : signals_(std::move(signals)) {
  if (const int operations = count_operations(graph, outputs).total(); operations > kMostTextOperations)
    throw GraphTooLarge("the text takes " + std::to_string(operations) + " operations, at most " +
                        std::to_string(kMostTextOperations) + " are allowed");
  interpreter_ = Interpreter(make_program(graph, outputs, static_cast<int>(signals_.size())));
  std::vector<bool> is_time;
  for (const Signal& signal : signals_) is_time.push_back(signal.kind == Signal::Kind::time);
  time_text_ = make_time_text(graph, outputs, is_time);
  chosen_ = std::make_shared<const ChosenText>(graph, outputs, is_time);
}

SignalFunction::SignalFunction(const TimeFunction& function)
    : signals_(1), interpreter_(function.interpreter()), time_text_(function.time_text()) {}

void SignalFunction::bind_to(SwitchBoard& board) {
  held_ = board.bind(chosen_, [signals = signals_](const Instant& at, double* in) {
    for (const Signal& signal : signals) *in++ = signal.value(at);
  });
}

std::vector<double> SignalFunction::operator()(double t) const {
  const std::vector<double> in(signals_.size(), t);
  std::vector<double> out(static_cast<std::size_t>(size()));
  run_small<double>(interpreter_, in.data(), out.data());
  return out;
}

void SignalFunction::add_to(Touches& touches) const {
  for (const Signal& signal : signals_) {
    if (signal.kind == Signal::Kind::coordinate) add_once(touches.velocities, signal.velocity);
    if (signal.kind == Signal::Kind::velocity) add_once(touches.velocities, signal.index);
    if (is_of_body(signal.kind) && signal.body != 0) add_once(touches.bodies, signal.body);
  }
}

bool SignalFunction::needs_bodies() const {
  return std::any_of(signals_.begin(), signals_.end(), [](const Signal& s) { return is_of_body(s.kind); });
}

}  // namespace cardan

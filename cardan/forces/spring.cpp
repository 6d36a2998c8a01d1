#include "cardan/forces/spring.hpp"

#include "cardan/program/internal/expression_limits.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kOwn = 4;  // symbols of a law beside its signals: l, dl/dt, t, rest

Path two_points(const BodyPoint& a, const BodyPoint& b) { return Path({{a.body, a.at}, {b.body, b.at}}); }

/// max(0, x), rounded over a width: value, slope and integral from 0.
struct Stretch {
  double value, slope, integral;
};
Stretch stretch(double x, double width) {
  if (x <= 0.0) return {0.0, 0.0, 0.0};
  if (x < width) return {x * x / (2.0 * width), x / width, x * x * x / (6.0 * width)};
  const double y = x - width;
  return {x - 0.5 * width, 1.0, width * width / 6.0 + y * (0.5 * width + 0.5 * y)};
}

}  // namespace

std::shared_ptr<const Force> make_force(const Spring& spring) {
  return std::make_shared<const ElasticLine>(
      ElasticLine::Kind::spring, spring.label, two_points(spring.a, spring.b),
      ElasticLine::Parameters{spring.stiffness, spring.damping, spring.rest, 0.0});
}

std::shared_ptr<const Force> make_force(const Cable& cable) {
  return std::make_shared<const ElasticLine>(
      ElasticLine::Kind::cable, cable.label, two_points(cable.a, cable.b),
      ElasticLine::Parameters{cable.stiffness, cable.damping, cable.rest, cable.smoothing});
}

Tension ElasticLine::law(double length, double speed, const Instant&) const {
  const double k = parameters_.stiffness, c = parameters_.damping, x = length - parameters_.rest.value_or(0.0);
  if (!is_cable_) return {k * x + c * speed, k, c};
  const Stretch s = stretch(x, parameters_.smoothing);
  const double T = k * s.value + c * s.slope * speed;
  if (!(T > 0.0)) return {};
  const double bend = x < parameters_.smoothing ? 1.0 / parameters_.smoothing : 0.0;
  return {T, k * s.slope + c * bend * speed, c * s.slope};
}

Expr ElasticLine::symbolic_law(Expr length, Expr speed, const SymbolicInstant&) const {
  const Expr k(parameters_.stiffness), c(parameters_.damping), x = length - Expr(parameters_.rest.value_or(0.0));
  if (!is_cable_) return k * x + c * speed;
  const Expr zero, one(1.0);
  if (parameters_.smoothing == 0.0) return select_less(zero, x, max(k * x + c * speed, zero), zero);
  const Expr width(parameters_.smoothing);
  const Expr value = select_less(x, width, x * x / (Expr(2.0) * width), x - Expr(0.5) * width);
  const Expr slope = select_less(x, width, x / width, one);
  return select_less(zero, x, max(k * value + c * slope * speed, zero), zero);
}

double ElasticLine::energy_at(double length) const {
  const double x = length - parameters_.rest.value_or(0.0);
  return parameters_.stiffness * (is_cable_ ? stretch(x, parameters_.smoothing).integral : 0.5 * x * x);
}

std::shared_ptr<const Force> ElasticLine::started_at(const Instant& at) const {
  auto out = std::make_shared<ElasticLine>(*this);
  if (!out->parameters_.rest) out->parameters_.rest = length(at);
  return out;
}

TensionText::TensionText(std::string label, Path path, std::optional<double> rest, bool of_length,
                         std::vector<Signal> signals, const SymbolicFunction& function)
    : LineForce("spring", std::move(label), std::move(path)),
      rest_(rest),
      of_length_(of_length),
      signals_(std::move(signals)) {
  Graph graph(kMostTextNodes);
  const Expr l = graph.input(0), ldot = graph.input(1), t = graph.input(2), start = graph.input(3);
  std::vector<Expr> others;
  for (std::size_t i = 0; i < signals_.size(); ++i) others.push_back(graph.input(kOwn + static_cast<int>(i)));
  std::vector<Expr> all{function(l, ldot, t, start, others)};
  const Expr inputs[] = {l, ldot};
  const std::vector<Expr> slopes = jacobian(graph, all, inputs, Differentiation::forward);
  all.insert(all.end(), slopes.begin(), slopes.end());
  if (const int operations = count_operations(graph, all).total(); operations > kMostTextOperations)
    throw GraphTooLarge("the law takes " + std::to_string(operations) + " operations, at most " +
                        std::to_string(kMostTextOperations) + " are allowed");
  const int count = kOwn + static_cast<int>(signals_.size());
  interpreter_ = Interpreter(make_program(graph, all, count));
  std::vector<bool> is_time(static_cast<std::size_t>(count));
  is_time[2] = true;
  time_text_ = make_time_text(graph, all, is_time);
  chosen_ = std::make_shared<const ChosenText>(graph, all, is_time);
}

void TensionText::set_inputs(double length, double speed, const Instant* at, double* in) const {
  in[0] = length;
  in[1] = speed;
  in[2] = at ? at->t : 0.0;
  in[3] = rest_.value_or(0.0);
  for (std::size_t i = 0; i < signals_.size(); ++i) in[kOwn + i] = at ? signals_[i].value(*at) : 0.0;
}

Tension TensionText::run(double length, double speed, const Instant* at) const {
  constexpr std::size_t kFew = 16;
  const bool is_held = at && held_ && held_->are_held;
  const std::size_t own = kOwn + signals_.size(), count = own + (is_held ? held_->choices.size() : 0);
  double few[kFew];
  std::vector<double> many(count <= kFew ? 0 : count);
  double* const in = count <= kFew ? few : many.data();
  set_inputs(length, speed, at, in);
  if (is_held) std::copy(held_->choices.begin(), held_->choices.end(), in + own);
  double out[3];
  run_small<double>(is_held ? chosen_->chosen() : interpreter_, in, out);
  return {out[0], out[1], out[2]};
}

std::shared_ptr<const Force> TensionText::bound_to(SwitchBoard& board) const {
  auto copy = std::make_shared<TensionText>(*this);
  copy->held_ = board.bind(
      chosen_, [copy](const Instant& at, double* in) { copy->set_inputs(copy->length(at), copy->speed(at), &at, in); });
  return copy;
}

Tension TensionText::law(double length, double speed, const Instant& at) const { return run(length, speed, &at); }

Dual8 TensionText::dual_law(const Dual8& length, const Dual8& speed, const Instant&, const DualInstant& at) const {
  const bool is_held = held_ && held_->are_held;
  std::vector<Dual8> in{length, speed, at.t, Dual8(rest_.value_or(0.0))};
  for (const Signal& signal : signals_) in.push_back(signal.value(at));
  if (is_held)
    for (const double choice : held_->choices) in.emplace_back(choice);
  Dual8 out[3];
  run_small<Dual8>(is_held ? chosen_->chosen() : interpreter_, in.data(), out);
  return out[0];
}

Expr TensionText::symbolic_law(Expr length, Expr speed, const SymbolicInstant& at) const {
  std::vector<Expr> in{length, speed, at.t, Expr(rest_.value_or(0.0))};
  for (const Signal& signal : signals_) in.push_back(signal.value(at));
  Expr out[3];
  run_small<Expr>(interpreter_, in.data(), out);
  return out[0];
}

double TensionText::energy_at(double length) const {
  if (!of_length_) return 0.0;
  // Gauss's rule of five points on parts no longer than a tenth of the rest length
  constexpr double kAt[] = {-0.90617984593866399, -0.53846931010568309, 0.0, 0.53846931010568309, 0.90617984593866399};
  constexpr double kWeight[] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889, 0.47862867049936647,
                                0.23692688505618909};
  const double from = rest_.value_or(0.0), span = length - from;
  const int parts = std::clamp(static_cast<int>(10.0 * std::abs(span) / std::max(from, 1e-3)) + 1, 4, 1000);
  double sum = 0.0;
  for (int i = 0; i < parts; ++i)
    for (int k = 0; k < 5; ++k) {
      const double l = from + span * (i + 0.5 * (1.0 + kAt[k])) / parts;
      sum += 0.5 * kWeight[k] * run(l, 0.0, nullptr).value * span / parts;
    }
  return sum;
}

std::shared_ptr<const Force> TensionText::started_at(const Instant& at) const {
  auto out = std::make_shared<TensionText>(*this);
  if (!out->rest_) out->rest_ = length(at);
  return out;
}

}  // namespace cardan

#include "cardan/dynamics/system_code.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Below it (a pivot as part of its diagonal) rows are left to methods that know repeated ones: four digits are lost.
constexpr double kLeastClearance = 1e-4;
/// Beyond as many instructions the generic algorithms are faster, or as fast (docs/compiling.md).
constexpr int kMostInstructions = 25'000;

/// Below it the way back to the constraints is left to methods that see change points come.
constexpr double kWideClearance = 0.02;
constexpr int kMostRounds = 8;
/// What velocities may miss of rows that others should imply, of the largest velocity.
constexpr double kContradiction = 1e-10;

Program program_of(const Graph& graph, std::initializer_list<const std::vector<Expr>*> in, std::vector<Expr> out) {
  program::Interface interface;
  for (const auto* array : in) interface.input_sizes.push_back(static_cast<int>(array->size()));
  interface.outputs.push_back(std::move(out));
  return make_program(graph, interface);
}

}  // namespace

SystemCode::SystemCode(const System& system, const IndependentRows& rows, std::size_t most_nodes,
                       const ExecutableOptions& options)
    : nv_(system.model().nv()) {
  const SystemTrace trace = trace_system(system, rows, most_nodes);
  std::vector<Expr> out = trace.a;
  out.insert(out.end(), trace.z_dot.begin(), trace.z_dot.end());
  out.push_back(trace.clearance);
  out_.resize(out.size());
  const Program program =
      program_of(*trace.graph, {&trace.t, &trace.q, &trace.v, &trace.z, &trace.u, &trace.tau}, std::move(out));
  instructions_ = static_cast<int>(program.code.size());
  code_.emplace(program, options);
  scratch_.resize(static_cast<std::size_t>(std::max(1, code_->scratch())));
}

bool SystemCode::run(double t, In<double> q, In<double> v, In<double> z, In<double> u, In<double> tau, Out<double> a,
                     Out<double> z_dot) {
  const double* const in[] = {&t, q.data(), v.data(), z.data(), u.data(), tau.data()};
  double* const out = out_.data();
  code_->run(in, &out, scratch_.data());
  if (!(out_.back() > kLeastClearance)) return false;
  if (!std::all_of(out_.begin(), out_.end(), [](double x) { return std::isfinite(x); })) return false;
  std::copy_n(out, nv_, a.data());
  std::copy_n(out + nv_, z_dot.size(), z_dot.data());
  return true;
}

ProjectionCode::ProjectionCode(const System& system, const IndependentRows& rows, std::size_t most_nodes,
                               const ExecutableOptions& options)
    : model_(system.model()), moved_(system.model()) {
  const ProjectionTrace trace = trace_projection(system, rows, most_nodes);
  std::vector<Expr> out = trace.dq;
  out.insert(out.end(), trace.dv.begin(), trace.dv.end());
  for (const Expr size : {trace.gap, trace.drift, trace.clearance, trace.least, trace.most}) out.push_back(size);
  out_.resize(out.size());
  const Program program = program_of(*trace.graph, {&trace.t, &trace.q, &trace.v}, std::move(out));
  instructions_ = static_cast<int>(program.code.size());
  code_.emplace(program, options);
  scratch_.resize(static_cast<std::size_t>(std::max(1, code_->scratch())));
}

/// Fills the corrections, then gap, drift, clearance, least and largest pivot.
bool ProjectionCode::evaluate(double t, const State& state) {
  const double* const in[] = {&t, state.q.data(), state.v.data()};
  double* const out = out_.data();
  code_->run(in, &out, scratch_.data());
  const double clearance = out_[out_.size() - 3];
  return clearance > kWideClearance && std::all_of(out_.begin(), out_.end(), [](double x) { return std::isfinite(x); });
}

bool ProjectionCode::project(double t, State& state, double enough) {
  const std::size_t n = state.v.size(), gap = 2 * n, drift = gap + 1, least = gap + 3;
  moved_ = state;
  double fastest = 1.0;
  for (const double v : state.v) fastest = std::max(fastest, std::abs(v));
  for (int round = 0;; ++round) {
    if (round == kMostRounds || !evaluate(t, moved_)) return false;
    if (out_[gap] <= enough) break;
    integrate(model_, moved_.q.data(), out_.data(), 1.0, moved_.q.data());
  }
  for (std::size_t i = 0; i < n; ++i) moved_.v[i] += out_[n + i];
  if (!evaluate(t, moved_) || !(out_[drift] <= kContradiction * fastest)) return false;
  clearance_ = std::sqrt(out_[least] / out_[least + 1]);
  std::swap(state, moved_);
  return true;
}

CompiledSystem compile(const System& system, double t, In<double> q, int rank) {
  if (!machine_code_is_possible() || !beyond_code(system).empty()) return {};
  const auto rows = independent_rows(system, t, q, rank);
  if (!rows) return {};
  try {
    // a graph has a few nodes for each instruction; a hopeless one is given up early
    constexpr std::size_t kMostNodes = std::size_t{10} * kMostInstructions;
    CompiledSystem out;
    out.motion = std::make_unique<SystemCode>(system, *rows, kMostNodes);
    if (out.motion->instructions() > kMostInstructions) return {};
    if (!rows->rows.empty()) out.projection = std::make_unique<ProjectionCode>(system, *rows, kMostNodes);
    return out;
  } catch (const GraphTooLarge&) {
    return {};
  }
}

}  // namespace cardan

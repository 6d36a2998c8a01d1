#include "cardan/dynamics/system_code.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

/// Below it (a pivot as part of its diagonal) rows are left to methods that know repeated ones: four digits are lost.
constexpr double kLeastClearance = 1e-4;
/// Beyond as many instructions the generic algorithms are faster, or as fast (docs/compiling.md).
constexpr int kMostInstructions = 25'000;

}  // namespace

SystemCode::SystemCode(const System& system, const IndependentRows& rows, std::size_t most_nodes,
                       const ExecutableOptions& options)
    : nv_(system.model().nv()) {
  const SystemTrace trace = trace_system(system, rows, most_nodes);
  program::Interface interface;
  for (const auto* in : {&trace.t, &trace.q, &trace.v, &trace.z, &trace.u, &trace.tau})
    interface.input_sizes.push_back(static_cast<int>(in->size()));
  std::vector<Expr> out = trace.a;
  out.insert(out.end(), trace.z_dot.begin(), trace.z_dot.end());
  out.push_back(trace.clearance);
  out_.resize(out.size());
  interface.outputs.push_back(std::move(out));
  const Program program = make_program(*trace.graph, interface);
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

std::unique_ptr<SystemCode> compile(const System& system, double t, In<double> q, int rank) {
  if (!machine_code_is_possible() || !beyond_code(system).empty()) return nullptr;
  const auto rows = independent_rows(system, t, q, rank);
  if (!rows) return nullptr;
  try {
    // a graph has a few nodes for each instruction; a hopeless one is given up early
    auto out = std::make_unique<SystemCode>(system, *rows, std::size_t{10} * kMostInstructions);
    return out->instructions() <= kMostInstructions ? std::move(out) : nullptr;
  } catch (const GraphTooLarge&) {
    return nullptr;
  }
}

}  // namespace cardan

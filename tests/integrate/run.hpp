// Short ways to run an integrator in tests.
#pragma once

#include "cardan/dynamics/tree_problem.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/model/model_builder.hpp"

#include <Eigen/Dense>
#include <vector>

namespace cardan::test {

/// The state at t_end.
inline State run(const std::string& method, Problem& dynamics, const State& start, double t_end,
                 const IntegratorOptions& options) {
  const auto integrator = make_integrator(method, dynamics, options);
  integrator->start(0.0, start);
  while (integrator->time() < t_end) integrator->step(t_end);
  return integrator->state();
}

/// visit(t, state) at each of the rising times, by the dense output; steps are not cut short.
template <class Visit>
void sample(Integrator& integrator, const std::vector<double>& times, const Visit& visit) {
  State state = integrator.state();
  for (const double t : times) {
    while (integrator.time() < t) integrator.step(times.back());
    integrator.interpolate(t, state);
    visit(t, state);
  }
}

inline IntegratorOptions with_step(double h) {
  IntegratorOptions options;
  options.step = h;
  return options;
}
inline IntegratorOptions with_tolerance(double tolerance) {
  IntegratorOptions options;
  options.tolerance = tolerance;
  return options;
}

/// The distance of two states in the tangent space at the first.
inline double distance(const Model& model, const State& a, const State& b) {
  Eigen::VectorXd dq(model.nv());
  difference(model, a.q.data(), b.q.data(), dq.data());
  double largest = dq.lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < a.v.size(); ++i) largest = std::max(largest, std::abs(a.v[i] - b.v[i]));
  return largest;
}

}  // namespace cardan::test

// The reference's scenes as dynamics, and the comparison of states and energies with what it measured.
#pragma once

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/redmax_scenes.hpp"

namespace cardan::test {

class SceneDynamics : public TreeProblem {
 public:
  explicit SceneDynamics(const RedmaxScene& scene)
      : TreeProblem(scene.model, [&scene](double t, In<double> q, In<double> v, Out<double> tau) {
          scene.joint_forces(t, q.data(), v.data(), tau.data());
        }) {}
};

inline double error_of(const RedmaxScene& scene, const nlohmann::json& row, const std::vector<double>& found) {
  const std::vector<double> expected = scene.in_model_order(row);
  const Eigen::Map<const Eigen::VectorXd> a(expected.data(), static_cast<Eigen::Index>(expected.size()));
  const Eigen::Map<const Eigen::VectorXd> b(found.data(), static_cast<Eigen::Index>(found.size()));
  return relative_error(a, b, 1.0);
}

/// `rest`: the potential energy at the beginning.
inline double energy_error(const RedmaxScene& scene, const State& end, double expected, double rest) {
  const double T = scene.kinetic(end), V = scene.potential(end) - rest;
  return std::abs(T + V - expected) / std::max({std::abs(T), std::abs(V), 1e-300});
}
inline double energy_error(const RedmaxScene& scene, const State& end, double expected) {
  return energy_error(scene, end, expected, scene.potential(scene.start));
}

}  // namespace cardan::test

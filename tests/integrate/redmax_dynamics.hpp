// The reference's scenes as dynamics, and the comparison of states and energies with what it measured.
#pragma once

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "tests/integrate/run.hpp"
#include "tests/support/near.hpp"
#include "tests/support/redmax_scenes.hpp"

namespace cardan::test {

class SceneDynamics : public ModelDynamics {
 public:
  explicit SceneDynamics(const RedmaxScene& scene)
      : ModelDynamics(scene.model,
                      [&scene](double t, In<double> q, In<double> v, Out<double> tau) {
                        scene.joint_forces(t, q.data(), v.data(), tau.data());
                      }),
        scene_(scene) {}

 protected:
  const RedmaxScene& scene_;
};

/// As the reference steps: only the joints' springs and dampers are implicit.
class SpringsImplicit : public SceneDynamics {
 public:
  explicit SpringsImplicit(const RedmaxScene& scene) : SceneDynamics(scene), w_(scene.model), bias_(scene.start.v) {}

  void linearize(double t, In<double> q, In<double> v, OutMatrix<double> M, Out<double> f, OutMatrix<double> K,
                 OutMatrix<double> D) override {
    mass_matrix(model(), w_, q, M);
    bias(model(), w_, q, v, bias_);
    scene_.joint_forces(t, q.data(), v.data(), f.data());
    detail::set_zero(K);
    detail::set_zero(D);
    for (int i = 0; i < model().nv(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      f[i] -= bias_[k];
      K(i, i) = -scene_.stiffness[k];
      D(i, i) = -scene_.damping[k];
    }
  }

 private:
  Workspace<double> w_;
  std::vector<double> bias_;
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

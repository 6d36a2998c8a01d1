// Stiffness and damping of forces along paths: K and D in closed form against dual numbers of the same force written
// once more as a template, on random trees, and in joint coordinates.
#include "cardan/dynamics/force_tangent.hpp"
#include "cardan/dynamics/internal/tangent_differences.hpp"
#include "cardan/dynamics/model_space.hpp"
#include "cardan/forces/bushing.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/forces/template_path.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Statement 23, between bodies: closed form against dual numbers on random trees.
TEST(Path, StiffnessAndDampingAreThoseOfDualNumbers) {
  Worst K("K of paths against dual numbers", 1e-12), D("D of paths", 1e-12);
  const int cases = repetitions(20, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 100);
    const int points = 2 + random.below(4);
    const TemplatePath path = random_path(random, c.model, points, 0.7);
    const auto closed = text_path(path);
    const auto dual = make_force(path);
    StateKinematics kinematics(c.model);
    const Instant at = kinematics.at(0.0, c.q, c.v);
    Tangent a, b;
    a.resize(closed->touches());
    b.resize(dual->touches());
    closed->add_tangent(at, a);
    dual->add_tangent(at, b);
    K.add(relative_error(a.K, b.K), c.name);
    D.add(relative_error(a.D, b.D), c.name);
  }
}

/// Statements 22 and 23 in joint coordinates: against differences of the generalized forces, and symmetric where the
/// force has an energy.
TEST(Path, StiffnessInJointCoordinatesIsExactAndSymmetric) {
  Worst exact("K in joint coordinates against differences", 2e-6), symmetric("symmetry of J'KJ + Gamma", 1e-12);
  const int cases = repetitions(10, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 300);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.0))};
    const int n = c.model.nv();
    const std::vector<int> first(forces.size() + 1);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), K0 = K;
    StateKinematics kinematics(c.model);
    ForceTangent(c.model, forces).add(kinematics.at(0.0, c.q, c.v), first, &K, nullptr);
    SystemWorkspace with{System(c.model, forces)}, without{System(c.model)};
    Eigen::VectorXd own(n);
    add_tangent_differences(
        ModelSpace(c.model),
        [&](In<double> q, In<double> v, Out<double> tau) {
          with.generalized_forces(0.0, q, v, tau);
          without.generalized_forces(0.0, q, v, own);
          for (int i = 0; i < n; ++i) tau[i] -= own[i];
        },
        c.q, c.v, n, &K0, nullptr);
    exact.add(relative_error(K, K0, 1.0), c.name);
    // in the tangent space of ball and free joints the second derivative is symmetric up to half the joint's bracket
    bool flat = true;
    for (int body = 1; body <= c.model.bodies(); ++body) flat = flat && c.model.joint(body).is_flat();
    if (flat) symmetric.add(relative_error(K, Eigen::MatrixXd(K.transpose()), 1.0), c.name);
  }
  // a tree of hinges, where all coordinates are flat
  for (int seed = 0; seed < cases; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 700);
    ModelBuilder builder;
    for (int i = 0; i < 6; ++i) {
      const std::string name = "b" + std::to_string(i);
      builder.body(name, random.mass());
      builder.joint(i == 0 ? "world" : "b" + std::to_string(random.below(i)), name, Revolute{random.direction()},
                    random.pose());
    }
    const Model model = builder.build();
    const Forces forces{text_path(random_path(random, model, 4, 0.0))};
    const Eigen::VectorXd q = random.values(6), v = random.values(6);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6);
    StateKinematics kinematics(model);
    const std::vector<int> first(2);
    ForceTangent(model, forces).add(kinematics.at(0.0, q, v), first, &K, nullptr);
    symmetric.add(relative_error(K, Eigen::MatrixXd(K.transpose()), 1.0));
  }
}

/// Statement 21: K - K' = S(f) on each body, S(m, f) = [[m] [f]; [f] 0], for every element with an energy.
TEST(Path, AsymmetryOfStiffnessIsThatOfTheWrench) {
  Worst worst("K - K' against S(f)", 1e-12);
  const int cases = repetitions(20, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 500);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.0)),
                        make_force(Bushing{"b", {1, {}}, {2, {}}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {}})};
    StateKinematics kinematics(c.model);
    const Instant at = kinematics.at(0.0, c.q, c.v);
    for (const auto& force : forces) {
      const Touches touches = force->touches();
      Tangent tangent;
      tangent.resize(touches);
      force->add_tangent(at, tangent);
      std::vector<ForceVector<double>> f(static_cast<std::size_t>(c.model.bodies()) + 1);
      std::vector<double> direct(static_cast<std::size_t>(c.model.nv()));
      Pushes pushes(f, direct);
      force->add(at, pushes);
      Eigen::MatrixXd S = Eigen::MatrixXd::Zero(tangent.K.rows(), tangent.K.rows());
      for (std::size_t b = 0; b < touches.bodies.size(); ++b) {
        const ForceVector<double>& w = f[static_cast<std::size_t>(touches.bodies[b])];
        const Mat3<double> m = skew(w.moment), n = skew(w.force);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const auto r = static_cast<Eigen::Index>(6 * b) + i, s = static_cast<Eigen::Index>(6 * b) + j;
            S(r, s) = m(i, j);
            S(r, s + 3) = S(r + 3, s) = n(i, j);
          }
      }
      worst.add(relative_error(Eigen::MatrixXd(tangent.K - tangent.K.transpose()), S, 1.0),
                force->name() + ", " + c.name);
    }
  }
}

TEST(Path, DefiniteTangentIsNegativeSemidefinite) {
  Worst worst("largest eigenvalue of definite K and D", 1e-12);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 900);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.5)),
                        make_force(Spring{"pushes", {1, random.vector()}, {2, random.vector()}, 2.0, 0.1, 9.0}),
                        make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 2, 2, 2}})};
    StateKinematics kinematics(c.model);
    const int n = c.model.nv();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), D = K;
    const std::vector<int> first(forces.size() + 1);
    ForceTangent(c.model, forces).add(kinematics.at(0.0, c.q, c.v), first, &K, &D, ForceTangent::Kind::definite);
    for (const Eigen::MatrixXd* M : {&K, &D}) {
      const double size = std::max(1.0, M->cwiseAbs().maxCoeff());
      worst.add((*M - M->transpose()).cwiseAbs().maxCoeff() / size, c.name);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(*M);
      worst.add(std::max(0.0, eigen.eigenvalues().maxCoeff()) / size, c.name);
    }
  }
}

}  // namespace
}  // namespace cardan::test

// Forces of loops that repeat one another: the least of them, moments divided by a length of the mechanism, found here
// from the equilibrium of the body alone.
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/model/internal/characteristic_length.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

namespace cardan::test::least_reactions_test {
namespace {

/// A beam that is welded to the world at three places: 18 reactions where six would do. `unit` is how many of the
/// model's units of length a meter has.
Model beam(double unit) {
  ModelBuilder builder;
  builder.gravity({0.0, 0.0, -9.81 * unit});
  builder
      .body("beam", {2.0,
                     {0.4 * unit, 0.1 * unit, 0.0},
                     {0.1 * unit * unit, 0.2 * unit * unit, 0.3 * unit * unit, 0.0, 0.0, 0.0}})
      .joint("world", "beam", Free{});
  for (int i = 0; i < 3; ++i) {
    JointSpec weld;
    weld.name = "weld " + std::to_string(i);
    weld.type = Fixed{};
    weld.predecessor = "world";
    weld.successor = "beam";
    weld.at = weld.at_successor = {Mat3<double>::identity(), {0.5 * i * unit, 0.2 * i * i * unit, 0.0}};
    weld.closes_loop = true;
    builder.joint(weld);
  }
  return builder.build();
}

/// Reactions of the welds on the beam: moment and force of each, six by three.
Eigen::MatrixXd reactions(const Model& model, ConstraintMethod method) {
  ConstrainedDynamics dynamics(ConstraintSet(model), method);
  const std::vector<double> q = model.neutral(), rest(6);
  std::vector<double> a(6);
  dynamics.forward_dynamics(0.0, q, rest, rest, a);
  Eigen::MatrixXd out(6, 3);
  for (int i = 0; i < 3; ++i) {
    const ConstraintSet& set = dynamics.constraints();
    const ForceVector<double> f = set.loop(i)->force(dynamics.multipliers().data() + set.first_row(i));
    for (int c = 0; c < 6; ++c) out(c, i) = f[c];
  }
  return out;
}

TEST(LeastReactions, MinimizeForcesAndMomentsOverALength) {
  const Model model = beam(1.0);
  const double length = characteristic_length(model);
  // reach: the farthest weld, at (1, 0.8)
  EXPECT_NEAR(length, std::hypot(1.0, 0.8), 1e-14);
  // minimize sum |f|^2 + |m / length|^2 subject to equilibrium E (m1, f1, ...) = weight about the origin
  Eigen::MatrixXd E(6, 18);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d r(0.5 * i, 0.2 * i * i, 0.0);
    Eigen::Matrix3d hat;
    hat << 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0;
    E.block<3, 3>(0, 6 * i).setIdentity();
    E.block<3, 3>(0, 6 * i + 3) = hat;
    E.block<3, 3>(3, 6 * i).setZero();
    E.block<3, 3>(3, 6 * i + 3).setIdentity();
  }
  const Eigen::Vector3d weight(0.0, 0.0, 2.0 * 9.81), com(0.4, 0.1, 0.0);
  Eigen::VectorXd needed(6), scale(18);
  needed << com.cross(weight), weight;
  for (int i = 0; i < 18; ++i) scale[i] = i % 6 < 3 ? length : 1.0;
  const Eigen::MatrixXd scaled = E * scale.asDiagonal();
  const Eigen::VectorXd expected =
      scale.asDiagonal() * (scaled.transpose() * (scaled * scaled.transpose()).ldlt().solve(needed));
  for (const auto method : {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                            ConstraintMethod::articulated}) {
    const Eigen::MatrixXd found = reactions(model, method);
    EXPECT_LT((found.reshaped() - expected).norm(), 1e-10)
        << constraint_method_names()[static_cast<std::size_t>(method)];
  }
}

/// Millimeters instead of meters: the same forces, a thousand times the number for each newton.
TEST(LeastReactions, DoNotDependOnTheUnitOfLength) {
  const Eigen::MatrixXd meters = reactions(beam(1.0), ConstraintMethod::articulated);
  Eigen::MatrixXd millimeters = reactions(beam(1000.0), ConstraintMethod::articulated);
  millimeters.bottomRows(3) /= 1e3;
  millimeters.topRows(3) /= 1e6;
  EXPECT_LT((millimeters - meters).norm(), 1e-9);
}

}  // namespace
}  // namespace cardan::test::least_reactions_test

// Section 9.6: a two-link arm whose joints are driven by motors through gears. Exactly, rotors are bodies and
// q = gamma(y): G'HG ydd + G'(C + H g) = G' tau; the quick method adds rho^2 times the rotor's inertia to the diagonal.
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

const Vec3<double> shoulder{0.0, 0.0, 1.0}, elbow{0.0, 0.8, 0.6};  // neither parallel nor at right angles
const MassProperties upper_arm{2.0, {0.3, 0.0, 0.1}, {0.05, 0.2, 0.2, 0.01, 0.0, 0.0}},
    forearm{1.0, {0.2, 0.1, 0.0}, {0.02, 0.1, 0.1, 0.0, 0.01, 0.0}};
Pose<double> at(const Vec3<double>& p) { return {Mat3<double>::identity(), p}; }
const Pose<double> at_elbow = at({0.6, 0.0, 0.0});
constexpr double kRotorInertia = 0.4, kRotorMass = 3.0;  // at the joint, and of a rotor without a gear

/// Bodies 1 to 4 of Fig. 9.2: upper arm, first rotor (on the base), forearm, second rotor (on the upper arm). The
/// higher the ratio, the lighter the rotors, so that rho^2 I stays.
Model arm_with_rotors(const Vector2d& ratio) {
  ModelBuilder builder;
  const auto rotor = [&](int i) {
    const double small = 1.0 / (ratio(i) * ratio(i)), I = kRotorInertia * small;
    return MassProperties{kRotorMass * small, {}, {I, I, I, 0.0, 0.0, 0.0}};
  };
  builder.gravity({0.0, -6.0, -7.0});
  builder.body("1", upper_arm).body("2", rotor(0)).body("3", forearm).body("4", rotor(1));
  builder.joint("world", "1", Revolute(shoulder)).joint("world", "2", Revolute(shoulder), at({0.1, 0.2, 0.0}));
  builder.joint("1", "3", Revolute(elbow), at_elbow);
  return builder.joint("1", "4", Revolute(elbow), at({0.2, 0.0, 0.1})).build();
}

/// The quick method: no rotors, but their inertia as armature.
Model quick_arm() {
  ModelBuilder builder;
  builder.gravity({0.0, -6.0, -7.0}).body("1", upper_arm).body("3", forearm);
  const auto geared = [&](const char* on, const char* body, const Vec3<double>& axis, const Pose<double>& where) {
    JointSpec joint;
    joint.predecessor = on;
    joint.successor = body;
    joint.type = Revolute(axis);
    joint.at = where;
    joint.dofs.resize(1);
    joint.dofs[0].armature = kRotorInertia;
    builder.joint(joint);
  };
  geared("world", "1", shoulder, {});
  geared("1", "3", elbow, at_elbow);
  return builder.build();
}

/// Rows in the order of the model's velocities.
MatrixXd gear_matrix(const Model& model, const Vector2d& ratio) {
  MatrixXd G = MatrixXd::Zero(4, 2);
  const auto row = [&](const char* joint) { return model.link(model.find_joint(joint)).v; };
  G(row("1"), 0) = 1.0;
  G(row("2"), 0) = ratio(0);
  G(row("3"), 1) = 1.0;
  G(row("4"), 1) = ratio(1);
  return G;
}

TEST(Gears, SparsityOfTheReducedMassMatrix) {  // Eq. 9.27
  const Vector2d ratio(40.0, -25.0), y(0.4, -1.1);
  const Model model = arm_with_rotors(ratio);
  const MatrixXd G = gear_matrix(model, ratio), H = Poisoned(model).mass_matrix(G * y);
  const auto entry = [&](const char* i, const char* j) {
    return H(model.link(model.find_joint(i)).v, model.link(model.find_joint(j)).v);
  };
  for (const char* other : {"1", "3", "4"}) EXPECT_EQ(entry("2", other), 0.0);
  EXPECT_EQ(entry("3", "4"), 0.0);
  EXPECT_NE(entry("1", "3"), 0.0);
  MatrixXd expected(2, 2);
  expected(0, 0) = entry("1", "1") + ratio(0) * ratio(0) * entry("2", "2");
  expected(0, 1) = expected(1, 0) = entry("1", "3") + ratio(1) * entry("1", "4");
  expected(1, 1) = entry("3", "3") + ratio(1) * ratio(1) * entry("4", "4");
  EXPECT_TRUE(near(MatrixXd(G.transpose() * H * G), expected, 1e-15));
}

/// Exact and quick agree better the smaller the rotors, with an error like 1 / rho.
TEST(Gears, QuickMethodIsTheLimitOfSmallRotors) {
  const Model quick = quick_arm();
  Poisoned run_quick(quick);
  const VectorXd y = Vector2d(0.4, -1.1), yd = Vector2d(1.3, -0.8), tau = Vector2d(4.0, -2.0);
  const MatrixXd quick_H = run_quick.mass_matrix(y);
  const VectorXd quick_ydd = run_quick.forward_dynamics(y, yd, tau);
  double last_H = 0.0, last_ydd = 0.0;
  for (const double rho : {10.0, 100.0, 1e3, 1e4}) {
    const Vector2d ratio(rho, -0.5 * rho);
    const Model model = arm_with_rotors(ratio);
    Poisoned run(model);
    const MatrixXd G = gear_matrix(model, ratio), H = run.mass_matrix(G * y);
    VectorXd motors = VectorXd::Zero(4);  // they turn the rotors
    motors(model.link(model.find_joint("2")).v) = tau(0) / ratio(0);
    motors(model.link(model.find_joint("4")).v) = tau(1) / ratio(1);
    const MatrixXd exact_H = G.transpose() * H * G;
    const VectorXd C = run.bias(G * y, G * yd);
    const VectorXd exact_ydd = exact_H.llt().solve(G.transpose() * (motors - C));
    const double error_H = relative_error(exact_H, quick_H), error_ydd = relative_error(exact_ydd, quick_ydd);
    std::printf("    ratio %7.0f: H differs by %.1e, acceleration by %.1e\n", rho, error_H, error_ydd);
    if (rho > 10.0) {
      EXPECT_NEAR(last_H / error_H, 10.0, 3.0);
      EXPECT_NEAR(last_ydd / error_ydd, 10.0, 3.0);
    }
    last_H = error_H;
    last_ydd = error_ydd;
  }
  EXPECT_LT(last_H, 1e-4);
  EXPECT_LT(last_ydd, 1e-3);
}

/// A nonlinear gear, q = gamma(y) = y + 0.3 sin(2 y): g = G_dot y_dot matters. The energy is that of a bead of mass
/// G' H G, whose own equation of motion (by Lagrange, with differences for dT/dy) must come out.
TEST(Gears, NonlinearGear) {
  const Model model = arm_with_rotors({1.0, 1.0});
  Poisoned run(model);
  const auto row = [&](const char* joint) { return model.link(model.find_joint(joint)).v; };
  const auto q_of = [&](const VectorXd& y) {
    VectorXd q(4);
    q(row("1")) = y(0);
    q(row("2")) = y(0) + 0.3 * std::sin(2.0 * y(0));
    q(row("3")) = y(1);
    q(row("4")) = y(1) * y(1);
    return q;
  };
  const auto G_of = [&](const VectorXd& y) {
    MatrixXd G = MatrixXd::Zero(4, 2);
    G(row("1"), 0) = G(row("3"), 1) = 1.0;
    G(row("2"), 0) = 1.0 + 0.6 * std::cos(2.0 * y(0));
    G(row("4"), 1) = 2.0 * y(1);
    return G;
  };
  const VectorXd y = Vector2d(0.4, -1.1), yd = Vector2d(1.3, -0.8);
  VectorXd g = VectorXd::Zero(4);
  g(row("2")) = -1.2 * std::sin(2.0 * y(0)) * yd(0) * yd(0);
  g(row("4")) = 2.0 * yd(1) * yd(1);
  const MatrixXd G = G_of(y), H = run.mass_matrix(q_of(y));
  const VectorXd found = G.transpose() * (run.bias(q_of(y), G * yd) + H * g);

  const auto M_of = [&](const VectorXd& at) -> MatrixXd {
    return G_of(at).transpose() * run.mass_matrix(q_of(at)) * G_of(at);
  };
  const double h = 1e-4;
  const MatrixXd rate = (M_of(y + h * yd) - M_of(y - h * yd)) / (2.0 * h);
  VectorXd expected = rate * yd + G.transpose() * run.gravity(q_of(y));
  for (int i = 0; i < 2; ++i) {
    const VectorXd step = h * VectorXd::Unit(2, i);
    expected(i) -= 0.5 * yd.dot((M_of(y + step) - M_of(y - step)) * yd) / (2.0 * h);
  }
  EXPECT_TRUE(near(found, expected, 1e-7));
}

}  // namespace
}  // namespace cardan::test

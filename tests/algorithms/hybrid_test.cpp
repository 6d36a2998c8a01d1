// Hybrid dynamics: on 200 random trees that mix every joint type it is forward dynamics where all forces are given,
// inverse dynamics where all accelerations are, and in between its result satisfies the equation of motion.
#include "cardan/algorithms/hybrid_matrix.hpp"
#include "cardan/algorithms/joint_forces.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

constexpr std::uint64_t kHybridTrees = trials(200);
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Hybrid {
  VectorXd qdd, tau;
};

std::vector<Given> all(const Model& model, Given what) {
  return std::vector<Given>(static_cast<std::size_t>(model.bodies()) + 1, what);
}
std::vector<Given> mixture(const Model& model, Random& random) {
  std::vector<Given> given = all(model, Given::force);
  const double share = random.uniform(0.1, 0.9);
  for (Given& g : given)
    if (random.chance(share)) g = Given::acceleration;
  return given;
}

/// What is not given starts as NaN, and so does all scratch.
Hybrid unknowns(const RandomCase& c, const std::vector<Given>& given) {
  Hybrid x{c.a, c.tau};
  const double nan = std::nan("");
  for (int b = 1; b <= c.model.bodies(); ++b) {
    const Link& link = c.model.link(b);
    const bool force = given[static_cast<std::size_t>(b)] == Given::force;
    (force ? x.qdd : x.tau).segment(link.v, link.nv).setConstant(nan);
  }
  return x;
}
Hybrid articulated(const RandomCase& c, const std::vector<Given>& given) {
  Hybrid x = unknowns(c, given);
  Workspace<double> w(c.model);
  w.fill(std::nan(""));
  hybrid_dynamics<double>(c.model, w, given, c.q, c.v, x.qdd, x.tau, c.f_ext);
  return x;
}
Hybrid by_matrix(const RandomCase& c, const std::vector<Given>& given) {
  Hybrid x = unknowns(c, given);
  Workspace<double> w(c.model);
  w.fill(std::nan(""));
  HybridMatrix<double> m(c.model, given);
  for (auto* scratch : {&m.x1, &m.bias, &m.x, &m.Hx}) std::fill(scratch->begin(), scratch->end(), std::nan(""));
  for (int i = 0; i < m.tree().n(); ++i)
    for (int j = 0; j < m.tree().n(); ++j) m.H11()(i, j) = std::nan("");
  hybrid_dynamics_by_matrix<double>(c.model, w, m, c.q, c.v, x.qdd, x.tau, c.f_ext);
  return x;
}

TEST(Hybrid, IsForwardAndInverseDynamicsAndAllBetween) {
  Worst forward("all forces given = FD", 1e-12), inverse("all accelerations given = ID", 1e-10),
      forward_matrix("the same with matrices, over cond(H) / 1e6", 1e-9), inverse_matrix("ID with matrices", 1e-10),
      motion("mixture: H qdd + C = tau", 1e-10), motion_matrix("mixture with matrices: H qdd + C = tau", 1e-10),
      accelerations("both forms: qdd, over cond(H) / 1e6", 1e-9), forces("both forms: tau", 1e-10);
  for (std::uint64_t seed = 0; seed < kHybridTrees; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 5000);
    Poisoned run(c.model);
    const MatrixXd H = run.mass_matrix(c.q);
    const double amplified = amplification(H);
    const std::vector<Given> force = all(c.model, Given::force), motions = all(c.model, Given::acceleration);
    const VectorXd fd = run.forward_dynamics(c.q, c.v, c.tau, c.f_ext);
    forward.add(relative_error(articulated(c, force).qdd, fd), c.name);
    forward_matrix.add(relative_error(by_matrix(c, force).qdd, fd) / amplified, c.name);
    const VectorXd id = run.inverse_dynamics(c.q, c.v, c.a, c.f_ext);
    inverse.add(relative_error(articulated(c, motions).tau, id), c.name);
    inverse_matrix.add(relative_error(by_matrix(c, motions).tau, id), c.name);

    const std::vector<Given> given = mixture(c.model, random);
    const Hybrid x = articulated(c, given), y = by_matrix(c, given);
    const VectorXd bias = run.bias(c.q, c.v, c.f_ext);
    for (int i = 0; i < c.model.nv(); ++i) {  // what was given is untouched
      const bool is_force = given[static_cast<std::size_t>(c.model.body_of_dof(i))] == Given::force;
      ASSERT_EQ(is_force ? x.tau(i) : x.qdd(i), is_force ? c.tau(i) : c.a(i)) << c.name;
      ASSERT_EQ(is_force ? y.tau(i) : y.qdd(i), is_force ? c.tau(i) : c.a(i)) << c.name;
    }
    const auto residual = [&](const Hybrid& h) {
      const double size = (H.cwiseAbs() * h.qdd.cwiseAbs()).maxCoeff();
      return relative_error(VectorXd(H * h.qdd + bias), h.tau, size);
    };
    motion.add(residual(x), c.name);
    motion_matrix.add(residual(y), c.name);
    accelerations.add(relative_error(x.qdd, y.qdd) / amplified, c.name);
    forces.add(relative_error(x.tau, y.tau, (H.cwiseAbs() * x.qdd.cwiseAbs()).maxCoeff()), c.name);
  }
}

/// H11 with the parents of Fig. 9.1 has no entry outside them, and is that part of H.
TEST(Hybrid, SparsityOfTheMatrix) {
  Worst entries("Table 9.1 = rows and columns of H", 1e-12);
  for (std::uint64_t seed = 0; seed < kHybridTrees; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 5000);
    const std::vector<Given> given = mixture(c.model, random);
    HybridMatrix<double> m(c.model, given);
    const int n = m.tree().n();
    const MatrixXd H = Poisoned(c.model).mass_matrix(c.q);
    Workspace<double> w(c.model);
    w.fill(std::nan(""));
    detail::restricted_mass_matrix<double>(c.model, w, c.q, m);
    MatrixXd expected = MatrixXd::Zero(n, n), found = expected;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) expected(i, j) = H(m.velocity(i), m.velocity(j));
      for (int j = i; j >= 0; j = m.tree().parent(j)) found(i, j) = m.H11()(i, j);
    }
    entries.add(relative_error(found, expected), c.name);
  }
}

/// The example of Fig. 9.1: with the first two joints' accelerations given, bodies 3 to 7 become rows 1 to 5.
TEST(Hybrid, MergedParents) {
  const MassProperties mass{1.0, {0.1, 0.2, 0.3}, Sym3<double>{1.0, 1.0, 1.0, 0.0, 0.0, 0.0}};
  ModelBuilder builder;
  for (int i = 1; i <= 7; ++i) builder.body(std::to_string(i), mass);
  const int parent[] = {0, 1, 1, 3, 2, 5, 5};  // numbered depth first by the model: 1, 2, 5, 6, 7, 3, 4
  for (int i = 1; i <= 7; ++i)
    builder.joint(parent[i - 1] == 0 ? "world" : std::to_string(parent[i - 1]), std::to_string(i), Revolute{});
  const Model model = builder.build();
  std::vector<Given> given = all(model, Given::force);
  for (const char* name : {"1", "2"}) given[static_cast<std::size_t>(model.find_joint(name))] = Given::acceleration;
  const HybridMatrix<double> m(model, given);
  ASSERT_EQ(m.tree().n(), 5);
  const auto row = [&](const char* joint) { return m.index(model.link(model.find_joint(joint)).v); };
  EXPECT_EQ(row("1"), -1);
  EXPECT_EQ(row("2"), -1);
  EXPECT_EQ(m.tree().parent(row("3")), -1);
  EXPECT_EQ(m.tree().parent(row("4")), row("3"));
  EXPECT_EQ(m.tree().parent(row("5")), -1);
  EXPECT_EQ(m.tree().parent(row("6")), row("5"));
  EXPECT_EQ(m.tree().parent(row("7")), row("5"));
}

/// By Newton and Euler for each body alone: all forces on it, those of its joints included, change its momentum.
TEST(JointForces, BalanceEveryBody) {
  Worst balance("rate of momentum = joint forces + weight + load", 1e-9), projected("S' f + armature a = tau", 1e-10);
  for (std::uint64_t seed = 0; seed < kHybridTrees; ++seed) {
    const RandomCase c(seed);
    const Model& model = c.model;
    Poisoned run(model);
    Workspace<double> w(model);
    w.fill(std::nan(""));
    const Vec3<double> bad{std::nan(""), std::nan(""), std::nan("")};
    std::vector<ForceVector<double>> f(static_cast<std::size_t>(model.bodies()) + 1, {bad, bad});
    joint_forces<double>(model, w, c.q, c.v, c.a, f, c.f_ext);
    const Kinematics<double> k = run.kinematics(c.q, c.v, c.a);
    const VectorXd tau = run.inverse_dynamics(c.q, c.v, c.a, c.f_ext);
    std::vector<Vector6> sum(f.size(), Vector6::Zero());  // of all forces on each body, world coordinates
    for (int i = model.bodies(); i >= 1; --i) {
      const auto b = static_cast<std::size_t>(i);
      const Matrix6 to_world = motion_transform(frame_transform(model, k, model.body_frame(i))).transpose();
      const Vector6 through_joint = to_world * dense(f[b]);
      const Vec3<double>& g = model.gravity();
      Vector6 gravity;
      gravity << 0, 0, 0, g[0], g[1], g[2];
      const Matrix6 X = motion_transform(k.X_0[b]), I = X.transpose() * dense(model.link(i).I) * X;
      sum[b] += through_joint + I * gravity + dense(c.f_ext[b]);
      sum[static_cast<std::size_t>(model.link(i).parent)] -= through_joint;
      const Vector6 v = X.inverse() * dense(k.v[b]), a = X.inverse() * dense(k.a[b]);
      balance.add(relative_error(sum[b], Vector6(I * a + crf(v) * I * v), through_joint.norm()), c.name);
      const Matrix6 to_user = motion_transform(model.frame(model.body_frame(i)).X);
      for (int j = model.link(i).v; j < model.link(i).v + model.link(i).nv; ++j) {
        const Vector6 S = to_user * dense(k.S[static_cast<std::size_t>(j)]);
        projected.add(
            relative_error(S.dot(dense(f[b])) + model.armature(j) * c.a(j), tau(j), dense(f[b]).cwiseAbs().maxCoeff()),
            c.name);
      }
    }
  }
}

/// A pendulum held still: the pin carries its weight and the moment of it.
TEST(JointForces, PinOfAHangingRod) {
  const Model model = ModelBuilder()
                          .body("rod", {2.0, {0.5, 0.0, 0.0}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "rod", Revolute{{0.0, 0.0, 1.0}})
                          .build();
  Workspace<double> w(model);
  std::vector<ForceVector<double>> f(2);
  const std::vector<double> zero{0.0};
  joint_forces<double>(model, w, zero, zero, zero, f);
  Vector6 expected;
  expected << 0.0, -0.5 * 2.0 * 9.81, 0.0, 0.0, 0.0, 2.0 * 9.81;
  EXPECT_TRUE(near(dense(f[1]), expected, 1e-15));
}

}  // namespace
}  // namespace cardan::test

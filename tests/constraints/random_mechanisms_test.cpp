// Random trees that mix all joint types, with one to six loops of any joint type closed by construction: rows against
// differences of positions, and five methods against one another and against the equation of motion.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/constraints/constrained_dynamics.hpp"
#include "cardan/constraints/internal/dense_solvers.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

namespace cardan::test {
namespace {

/// A mechanism whose loops are closed at q, with velocities that keep them so.
struct Mechanism {
  Model model;
  Eigen::VectorXd q, v, tau;
};

Mechanism random_mechanism(std::uint64_t seed) {
  ModelBuilder builder = random_builder(seed);
  const Model tree = builder.build();
  Random random(seed + 1000);
  const Eigen::VectorXd q = random_configuration(random, tree);
  Workspace<double> w(tree);
  Kinematics<double> k(tree);
  forward_kinematics(tree, w, q, k);
  const int loops = 1 + random.below(6);
  for (int n = 0; n < loops; ++n) {
    int a = 0, b = 0;
    do {
      a = random.below(tree.bodies() + 1);
      b = random.below(tree.bodies() + 1);
    } while (a == b);
    JointSpec loop;
    do {
      loop.type = random_joint(random, static_cast<std::size_t>(random.below(15)));
    } while (loop.type.nv() == 6);
    loop.name = "loop " + std::to_string(n);
    loop.predecessor = tree.body_name(a);
    loop.successor = tree.body_name(b);
    loop.at = random.pose();
    // b is where it is; its end of the joint goes where the joint, at any q of its own, puts it
    const std::vector<double> own = random_configuration(random, loop.type), rest(6);
    const Transform<double> X_J = joint_motion(loop.type, own.data(), rest.data()).X;
    const auto pose = [&](int body) { return frame_pose(tree, k, tree.body_frame(body)); };
    const Pose<double> joint = pose(a) * loop.at * Pose<double>{transpose(X_J.E), X_J.r};
    loop.at_successor = inverse(pose(b)) * joint;
    loop.closes_loop = true;
    builder.joint(loop);
  }
  Mechanism out{builder.build(), q, random.values(tree.nv()), random.values(tree.nv(), 5.0)};
  ConstrainedDynamics dynamics(ConstraintSet(out.model), ConstraintMethod::dual);
  dynamics.project_velocities(0.0, out.q, out.v);
  return out;
}

const int kMechanisms = repetitions(100, 2000);

/// Six numbers for each loop: the directions in which rows are measured may differ from one state to the next.
Eigen::VectorXd as_motions(const ConstraintSet& set, const Eigen::VectorXd& rows) {
  Eigen::VectorXd out(6 * set.size());
  for (int i = 0; i < set.size(); ++i) {
    const ForceVector<double> f = set.loop(i)->force(rows.data() + set.first_row(i));
    for (int c = 0; c < 6; ++c) out[6 * i + c] = f[c];
  }
  return out;
}

TEST(RandomMechanisms, RowsAreRatesOfTheGap) {
  Worst closed("gap of loops closed by construction", 1e-12), rate("K v against differences of the gap", 1e-7),
      acceleration("K a = k keeps loops closed", 1e-4);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Mechanism m = random_mechanism(seed);
    const std::string name = "seed " + std::to_string(seed);
    ConstraintSet set(m.model);
    Eigen::MatrixXd K(set.rows(), m.model.nv());
    set.evaluate(0.0, m.q.data(), m.v.data());
    closed.add(set.gap().norm(), name);
    set.matrix(K);
    Random random(seed);
    const auto gap_at = [&](const Eigen::VectorXd& along, double h) {
      const Eigen::VectorXd q = integrate(m.model, m.q, along, h);
      set.evaluate(0.0, q.data(), m.v.data());
      return as_motions(set, set.gap());
    };
    const Eigen::VectorXd any = random.values(m.model.nv()), expected = as_motions(set, K * any);
    constexpr double h = 1e-5;
    const Eigen::VectorXd difference = (gap_at(any, h) - gap_at(any, -h)) / (2.0 * h);
    rate.add(relative_error(difference, expected, 1.0), name);

    // along v t + a t^2 / 2 the gap grows with the cube of time only if c_J and all velocity terms are in k
    ConstrainedDynamics dynamics(ConstraintSet(m.model), ConstraintMethod::dual);
    Eigen::VectorXd a(m.model.nv());
    dynamics.forward_dynamics(0.0, m.q, m.v, m.tau, a);
    constexpr double t = 1e-4;
    const Eigen::VectorXd there = t * m.v + 0.5 * t * t * a, back = -t * m.v + 0.5 * t * t * a;
    const Eigen::VectorXd second = (gap_at(there, 1.0) + gap_at(back, 1.0)) / (t * t);
    acceleration.add(second.norm() / (1.0 + a.norm() + m.v.squaredNorm()), name);
  }
}

TEST(RandomMechanisms, FiveMethodsAgree) {
  Worst accelerations("accelerations of five methods", 1e-9), obey("K a = k", 1e-9),
      motion("H a + C = tau + K' lambda", 1e-9);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(kMechanisms); ++seed) {
    const Mechanism m = random_mechanism(seed);
    Eigen::VectorXd first(m.model.nv());
    for (const auto method : {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
                              ConstraintMethod::articulated, ConstraintMethod::sparse}) {
      const std::string name =
          "seed " + std::to_string(seed) + ", " + constraint_method_names()[static_cast<std::size_t>(method)];
      ConstrainedDynamics dynamics(ConstraintSet(m.model), method);
      Eigen::VectorXd a = Eigen::VectorXd::Constant(m.model.nv(), NAN);
      dynamics.forward_dynamics(0.0, m.q, m.v, m.tau, a);
      if (method == ConstraintMethod::direct) first = a;
      accelerations.add(relative_error(first, a), name);
      const ConstraintSet& set = dynamics.constraints();
      Eigen::MatrixXd K(set.rows(), m.model.nv());
      set.matrix(K);
      obey.add((K * a - set.k()).norm() / (1.0 + a.norm()), name);
      Workspace<double> w(m.model);
      Eigen::VectorXd tau(m.model.nv());
      inverse_dynamics(m.model, w, m.q, m.v, a, tau);
      const Eigen::VectorXd held = K.transpose() * dynamics.multipliers();
      motion.add((tau - m.tau - held).norm() / (1.0 + tau.norm() + held.norm()), name);
    }
  }
}

/// Identity 17: a = G y + g are all accelerations that the constraints allow, and y are some of them.
TEST(RandomMechanisms, EliminationSpansWhatTheConstraintsAllow) {
  Worst held("K G = 0", 1e-9), given("K g = k", 1e-9), parts("rows of G and g at the independent velocities", 1e-15);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(kMechanisms); ++seed) {
    const Mechanism m = random_mechanism(seed);
    const std::string name = "seed " + std::to_string(seed);
    ConstraintSet set(m.model);
    set.evaluate(0.0, m.q.data(), m.v.data());
    EliminationSolver solver(set);
    const int n = m.model.nv();
    Eigen::VectorXd a(n), lambda(set.rows());
    solver.solve(m.q, set, m.tau, set.k(), a, lambda);
    Eigen::MatrixXd K(set.rows(), n);
    set.matrix(K);
    const auto& G = solver.G();
    const auto& y = solver.independent();
    ASSERT_EQ(static_cast<Eigen::Index>(y.size()), n - solver.rank()) << name;
    ASSERT_EQ(G.cols(), n - solver.rank()) << name;
    held.add((K * G).norm() / (1.0 + K.norm() * G.norm()), name);
    given.add((K * solver.g() - set.k()).norm() / (1.0 + set.k().norm()), name);
    for (std::size_t i = 0; i < y.size(); ++i) {  // so G has full rank
      Eigen::VectorXd unit = Eigen::VectorXd::Zero(G.cols());
      unit[static_cast<Eigen::Index>(i)] = 1.0;
      parts.add((G.row(y[i]).transpose() - unit).norm() + std::abs(solver.g()[y[i]]), name);
    }
  }
}

/// H dv = u + sum J_b' iota + J' lambda with J dv = 0, by every method; without loops it is the tree's response.
TEST(RandomMechanisms, ImpulsesChangeVelocitiesWithinTheLoops) {
  Worst equation("H dv - u - J' lambda", 1e-8), loops("J dv", 1e-8), agreement("between methods", 1e-7);
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(repetitions(20, 500)); ++seed) {
    const Mechanism m = random_mechanism(seed);
    const int n = m.model.nv();
    Random random(seed + 31);
    std::vector<ForceVector<double>> impulses(static_cast<std::size_t>(m.model.bodies()) + 1);
    for (ForceVector<double>& one : impulses) one = random.force();
    Workspace<double> w(m.model);
    Eigen::MatrixXd H(n, n);
    mass_matrix<double>(m.model, w, m.q, H);
    // all impulses at the joints: inverse dynamics at rest without gravity takes their opposites
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(n);
    Eigen::VectorXd with(n), without(n);
    inverse_dynamics<double>(m.model, w, m.q, none, none, with, impulses);
    inverse_dynamics<double>(m.model, w, m.q, none, none, without);
    const Eigen::VectorXd u = m.tau - with + without;
    std::optional<Eigen::VectorXd> first;
    for (const ConstraintMethod method :
         {ConstraintMethod::direct, ConstraintMethod::dual, ConstraintMethod::elimination,
          ConstraintMethod::articulated, ConstraintMethod::sparse}) {
      ConstrainedDynamics dynamics(ConstraintSet(m.model), method);
      Eigen::VectorXd dv(n);
      dynamics.impulse_response(0.0, m.q, m.tau, dv, impulses);
      Eigen::MatrixXd J(dynamics.constraints().rows(), n);
      dynamics.constraints().matrix(J);
      const std::string name = fmt::format("seed {}, method {}", seed, static_cast<int>(method));
      equation.add((H * dv - u - J.transpose() * dynamics.impulses()).norm() / u.norm(), name);
      loops.add((J * dv).norm() / std::max(1.0, dv.norm()), name);
      if (first) agreement.add((dv - *first).norm() / std::max(1.0, dv.norm()), name);
      if (!first) first = dv;
    }
  }
}

}  // namespace
}  // namespace cardan::test

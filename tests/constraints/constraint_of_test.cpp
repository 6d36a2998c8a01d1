// Constraints that write only their gap: rows against those that are written by hand, against differences along a
// motion, and their derivatives against differences of rows.
#include "cardan/constraints/constraint_of.hpp"
#include "cardan/constraints/constraint_tangent.hpp"
#include "cardan/constraints/coupling_constraint.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Keeps points of two bodies at a distance that grows with time.
struct Distance {
  int a, b;
  Vec3<double> at_a, at_b;

  std::string name() const { return "distance"; }
  Touches touches() const { return {.bodies = {a, b}, .relative = true}; }
  int rows() const { return 1; }
  template <class T>
  void gap(const InstantOf<T>& at, T* r) const {
    const Vec3<T> d = at.position(b, Vec3<T>(at_b)) - at.position(a, Vec3<T>(at_a));
    r[0] = sqrt(dot(d, d)) - T(1.3);
  }
};

/// q_b = sin(2 q_a).
struct Gear {
  int a, b;  // coordinates, which are velocities too
  std::string name() const { return "gear"; }
  Touches touches() const { return {.velocities = {b, a}}; }
  int rows() const { return 1; }
  template <class T>
  void gap(const InstantOf<T>& at, T* r) const {
    r[0] = at.q[b] - sin(T(2.0) * at.q[a]);
  }
};

Model arm() {
  Random random(5);
  ModelBuilder builder("arm");
  for (const char* body : {"a", "b", "c", "d"}) builder.body(body, random.mass());
  builder.joint("world", "a", Revolute{{0, 1, 0}}).joint("a", "b", Revolute{{1, 0, 0}}, random.pose());
  builder.joint("b", "c", Prismatic{{0, 0, 1}}, random.pose()).joint("a", "d", Revolute{{0, 0, 1}}, random.pose());
  builder.coupling({"b", {"a"}, [](std::span<const Expr> x) { return sin(Expr(2.0) * x[0]); }, "b = sin(2*a)", ""});
  return builder.build();
}

TEST(ConstraintOf, RowsOfACouplingAreThoseWrittenByHand) {
  const Model model = arm();
  Random random(1);
  ConstraintSet by_hand(model), by_gap(model, ConstraintSet::Include::nothing);
  by_gap.add(make_constraint(Gear{0, 1}));
  const Eigen::VectorXd q = random.values(4), v = random.values(4);
  by_hand.evaluate(0.0, q, v);
  by_gap.evaluate(0.0, q, v);
  Eigen::MatrixXd J(1, 4), expected(1, 4);
  by_hand.matrix(expected);
  by_gap.matrix(J);
  EXPECT_TRUE(near(J, expected, 1e-15));
  EXPECT_TRUE(near(by_gap.gap(), by_hand.gap(), 1e-15));
  EXPECT_TRUE(near(by_gap.drift(), by_hand.drift(), 1e-15));
  EXPECT_TRUE(near(by_gap.k(), by_hand.k(), 1e-14));
}

TEST(ConstraintOf, RowsAreRatesOfTheGap) {
  const Model model = arm();
  Random random(2);
  ConstraintSet set(model, ConstraintSet::Include::nothing);
  set.add(make_constraint(Distance{3, 4, {0.1, -0.2, 0.3}, {0.2, 0.4, -0.1}}));
  const Eigen::VectorXd q = random.values(4), v = random.values(4);
  constexpr double h = 1e-4;
  const auto gap_at = [&](double t) {
    const Eigen::VectorXd there = q + t * v;  // all coordinates are plain
    set.evaluate(0.0, there, v);
    return set.gap()[0];
  };
  const double before = gap_at(-h), after = gap_at(h), here = gap_at(0.0);
  Eigen::MatrixXd J(1, 4);
  set.matrix(J);
  EXPECT_NEAR(set.drift()[0], (after - before) / (2.0 * h), 1e-7);
  EXPECT_NEAR((J * v)[0], set.drift()[0], 1e-14);
  EXPECT_NEAR(-set.k()[0], (after - 2.0 * here + before) / (h * h), 1e-5);
}

TEST(ConstraintOf, DerivativesAreThoseOfTheRows) {
  const Model model = arm();
  Random random(3);
  ConstraintSet set(model, ConstraintSet::Include::nothing);
  set.add(make_constraint(Distance{3, 4, {0.1, -0.2, 0.3}, {0.2, 0.4, -0.1}}));
  set.add(make_constraint(Gear{0, 1}));
  const Eigen::VectorXd q = random.values(4), v = random.values(4), a = random.values(4), lambda = random.values(2);
  Eigen::MatrixXd pull, by_q, by_v;
  ConstraintTangent(set).compute(set, {}, 0.0, q, v, a, lambda, {&pull, &by_q, &by_v});
  constexpr double h = 1e-6;
  const auto rows_at = [&](const Eigen::VectorXd& there, const Eigen::VectorXd& velocity) {
    set.evaluate(0.0, there, velocity);
    Eigen::MatrixXd J(2, 4);
    set.matrix(J);
    Eigen::VectorXd out(6);
    out << J.transpose() * lambda, J * a - set.k();
    return out;
  };
  for (Eigen::Index i = 0; i < 4; ++i) {
    const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(4, i);
    const Eigen::VectorXd moved = (rows_at(q + e, v) - rows_at(q - e, v)) / (2.0 * h),
                          faster = (rows_at(q, v + e) - rows_at(q, v - e)) / (2.0 * h);
    EXPECT_TRUE(near(pull.col(i), moved.head(4), 1e-8, 1.0)) << i;
    EXPECT_TRUE(near(by_q.col(i), moved.tail(2), 1e-8, 1.0)) << i;
    EXPECT_TRUE(near(by_v.col(i), faster.tail(2), 1e-8, 1.0)) << i;
  }
}

}  // namespace
}  // namespace cardan::test

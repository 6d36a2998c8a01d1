// Thelen's and Millard's muscles: curves against their equations and against differences, fibers in balance with their
// tendons, activation, moment by moment energy of a muscle that is let go.
#include "cardan/forces/hill_fibers.hpp"

#include "cardan/forces/muscle.hpp"
#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test {
namespace {

using muscle::HillFibers;
using muscle::MillardCurves;
using muscle::MillardShape;
using muscle::QuinticCurve;
using muscle::ThelenShape;
using D = Dual<2>;

constexpr HillFibers::Size kSize{800.0, 0.12, 0.2, 0.3, 0.0, true};

TEST(Hill, ThelensCurvesHaveTheValuesOfThePaper) {
  const ThelenShape s;
  EXPECT_EQ(muscle::thelen_active(s, 1.0), 1.0);
  EXPECT_NEAR(muscle::thelen_active(s, 1.45), std::exp(-0.45), 1e-15);
  EXPECT_EQ(muscle::thelen_passive(s, 0.9), 0.0);
  EXPECT_NEAR(muscle::thelen_passive(s, 1.0 + s.passive_strain), 1.0, 1e-15);
  EXPECT_EQ(muscle::thelen_tendon(s, 0.99), 0.0);
  EXPECT_NEAR(muscle::thelen_tendon(s, 1.0 + s.tendon_strain), 1.0, 1e-14);
  EXPECT_EQ(muscle::thelen_speed_factor(s, 0.0), 1.0);
  EXPECT_EQ(muscle::thelen_speed_factor(s, -1.0), 0.0);
  EXPECT_NEAR(muscle::thelen_speed_factor(s, 100.0) - muscle::thelen_speed_factor(s, 99.0),
              muscle::thelen_speed_factor(s, 200.0) - muscle::thelen_speed_factor(s, 199.0), 1e-12);
  for (const double w : {-3.0, -0.99, -0.4, -1e-3, 0.0, 0.02, 0.2, 0.45, 2.0})
    EXPECT_NEAR(muscle::thelen_speed_of_factor(s, muscle::thelen_speed_factor(s, w)), w, 1e-12) << w;
}

/// Slope and curvature of a curve, by dual numbers of the first and differences of that.
void expect_smooth(const std::function<D(const D&)>& curve, std::initializer_list<double> places, double jump) {
  for (const double x : places) {
    const double h = 1e-6, slope = curve(D::variable(x, 0)).d[0];
    const double difference = (curve(D(x + h)).value - curve(D(x - h)).value) / (2.0 * h);
    EXPECT_NEAR(slope, difference, 1e-6 * std::max(1.0, std::abs(slope))) << x;
    EXPECT_NEAR(curve(D::variable(x - 1e-9, 0)).d[0], curve(D::variable(x + 1e-9, 0)).d[0], jump) << x;
  }
}

TEST(Hill, CurvesHaveContinuousSlopes) {
  const ThelenShape s;
  expect_smooth([&](const D& x) { return muscle::thelen_tendon(s, x); }, {1.01, 1.02435, 1.0243, 1.05}, 1e-4);
  expect_smooth([&](const D& w) { return muscle::thelen_speed_factor(s, w); }, {-1.0, -0.3, 0.3, 0.7}, 1e-5);
  const MillardCurves m({}, true);
  expect_smooth([&](const D& x) { return m.active(x); }, {0.4441, 0.5, 0.587, 0.84, 1.0, 1.2, 1.4312, 1.8123}, 1e-5);
  expect_smooth([&](const D& x) { return m.passive(x); }, {1.0, 1.01, 1.035, 1.3, 1.7, 2.0}, 1e-5);
  expect_smooth([&](const D& x) { return m.tendon(x); }, {1.0, 1.01, 1.02, 1.037, 1.1}, 1e-5);
  expect_smooth([&](const D& x) { return m.speed(x); }, {-1.0, -0.9, -0.5, 0.0, 0.4, 0.9, 1.0}, 1e-5);
}

TEST(Hill, MillardsCurvesPassThroughTheirPoints) {
  const MillardCurves m({}, true);
  EXPECT_EQ(m.active(0.3), 0.0);
  EXPECT_NEAR(m.active(1.0), 1.0, 1e-15);
  EXPECT_EQ(m.active(1.9), 0.0);
  EXPECT_EQ(m.passive(0.8), 0.0);
  EXPECT_NEAR(m.passive(1.7), 1.0, 1e-14);
  EXPECT_NEAR(m.tendon(1.049), 1.0, 1e-13);  // on the straight part
  EXPECT_NEAR(m.speed(0.0), 1.0, 1e-15);
  EXPECT_NEAR(m.speed(-1.0), 0.0, 1e-15);
  EXPECT_NEAR(m.speed(1.0), 1.4, 1e-15);
  EXPECT_NEAR(m.speed(D::variable(0.0, 0)).d[0], 5.0, 1e-9);
  const MillardCurves undamped({}, false);
  ASSERT_TRUE(undamped.speed_inverse);
  for (const double v : {-1.5, -0.95, -0.4, 0.0, 0.3, 0.97, 1.5})
    EXPECT_NEAR((*undamped.speed_inverse)(undamped.speed(v)), v, 1e-11) << v;
}

TEST(Hill, QuinticCurvesRefuseWhatIsNone) {
  using End = QuinticCurve::End;
  EXPECT_THROW(QuinticCurve({End{0, 0, 0}}, {}), std::invalid_argument);
  EXPECT_THROW(QuinticCurve({End{1, 0, 0}, End{0, 1, 1}}, {0.5}), std::invalid_argument);
  EXPECT_THROW(QuinticCurve({End{0, 0, 0}, End{1, 1, 2}}, {1.5}), std::invalid_argument);
  EXPECT_THROW(QuinticCurve({End{0, 0, 0}, End{1, 1, 0.5}}, {0.5}), std::invalid_argument);  // an s, not a corner
  EXPECT_THROW(QuinticCurve({End{0, 0, 0}, End{1, 1, 2}}, {0.5}).inverse(), std::invalid_argument);
  MillardShape wrong;
  wrong.active_range[1] = 0.3;
  EXPECT_THROW(MillardCurves(wrong, true), std::invalid_argument);
}

TEST(Hill, FibersAreInBalanceWithTheirTendons) {
  const std::variant<ThelenShape, MillardShape> shapes[]{ThelenShape{}, MillardShape{}};
  for (const auto& shape : shapes)
    for (const double beta : {0.0, 0.1}) {
      HillFibers::Size size = kSize;
      size.fiber_damping = beta;
      const HillFibers fibers(size, shape);
      for (const double l : {0.3, 0.33, 0.37})
        for (const double a : {0.05, 0.4, 1.0}) {
          const double x = fibers.balanced(a, l, 0.0, 10.0);
          // forces are equal where nothing moves, and so the speed that balances them is zero
          EXPECT_NEAR(fibers.tendon(l, x), (a * fibers.active(x) + fibers.passive(x)) * fibers.cosine(x), 1e-12);
          EXPECT_NEAR(fibers.speed(a, l, x), 0.0, 1e-11);
          const double h = 1e-7;
          EXPECT_NEAR(fibers.tendon(Dual<2>::variable(l, 0), Dual<2>(x)).d[0],
                      (fibers.tendon(l + h, x) - fibers.tendon(l - h, x)) / (2.0 * h), 1e-4);
        }
      // shorter than its tendon: the fibers are as short as can be
      EXPECT_EQ(fibers.balanced(0.5, 0.15, 0.0, 10.0), fibers.shortest());
      EXPECT_EQ(fibers.tendon(0.15, fibers.shortest()), 0.0);
    }
}

TEST(Hill, SpeedsBearTheTendonsForce) {
  HillFibers::Size size = kSize;
  size.fiber_damping = 0.1;
  const MillardShape shape;
  const HillFibers fibers(size, shape);
  const MillardCurves curves(shape, true);
  for (const double x : {0.7, 1.0, 1.3})
    for (const double l : {0.29, 0.32, 0.36}) {
      const double v = fibers.speed(0.6, l, x);
      const double force = 0.6 * curves.active(x) * curves.speed(v) + curves.passive(x) + 0.1 * v;
      EXPECT_NEAR(force * fibers.cosine(x), fibers.tendon(l, x), 1e-12);
    }
}

/// A muscle along x from the world's origin to a body on a slide.
Muscle on_slide(const MuscleParameters& p, double excitation) {
  return Muscle("m", Path(std::vector<PathPoint>{{0, {}}, {1, {}}}), p,
                {true, TimeFunction([=](Expr) { return std::vector<Expr>{Expr(excitation)}; }), 0.2});
}

TEST(Hill, ActivationFollowsWithTwoTimeConstants) {
  const Model model = ModelBuilder()
                          .body("load", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "load", Prismatic{{1.0, 0.0, 0.0}})
                          .build();
  StateKinematics kinematics(model);
  MuscleParameters p;
  p.max_force = 800.0;
  p.optimal_length = 0.12;
  p.slack_length = 0.2;
  p.elastic_tendon = true;
  p.curves = MuscleParameters::Curves::thelen;
  p.activation_time = 0.01;
  p.deactivation_time = 0.04;
  const std::vector<double> q{0.32}, v{0.0}, z{0.2, 1.0};
  const Instant at = kinematics.at(0.0, q, v, z);
  double rate[2];
  on_slide(p, 0.7).rate(at, rate);
  EXPECT_NEAR(rate[0], 0.5 / (0.01 * 0.8), 1e-12);
  on_slide(p, 0.1).rate(at, rate);
  EXPECT_NEAR(rate[0], -0.1 * 0.8 / 0.04, 1e-12);
  on_slide(p, 0.0).rate(at, rate);  // not below the least activation
  EXPECT_NEAR(rate[0], -0.19 * 0.8 / 0.04, 1e-12);
  const auto started = std::dynamic_pointer_cast<const Muscle>(on_slide(p, 0.7).started_at(at));
  std::vector<double> start(2);
  started->initial_states(start);
  EXPECT_EQ(start[0], 0.2);
  const Instant balanced = kinematics.at(0.0, q, v, start);
  EXPECT_NEAR(started->tension(balanced), on_slide(p, 0.7).balance(0.32, 0.2).tension, 1e-9);
  started->rate(balanced, rate);
  EXPECT_NEAR(rate[1], 0.0, 1e-9);
}

}  // namespace
}  // namespace cardan::test

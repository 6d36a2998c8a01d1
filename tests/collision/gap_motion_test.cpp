// First and second derivative of the gap along random motions, against differences of the gap itself.
#include "cardan/collision/gap_motion.hpp"

#include "cardan/collision/nearest.hpp"
#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan::test::gap_motion_test {
namespace {

using collision::BodyMotion;
using collision::Contact;
using collision::GapMotion;
using collision::PairMemory;

/// A smooth motion with these velocities and accelerations at t = 0.
struct Path {
  Pose<double> at;
  Vec3<double> w, v, alpha, a;

  Pose<double> after(double t) const {
    return {exp_so3(t * w + (0.5 * t * t) * alpha) * at.R, at.p + t * v + (0.5 * t * t) * a};
  }
  BodyMotion motion() const { return {at.p, w, v, alpha, a}; }
};

Path random_path(SolidMaker& random, double from, double to) {
  return {{random.rotation(), random.number(from, to) * random.direction()},
          random.direction(),
          random.direction(),
          random.direction(),
          random.direction()};
}

/// The same features touch: what is compared with differences must not change its kind in between.
bool same_features(const Contact& c, const Contact& o) {
  const auto same = [](const collision::Feature& f, const collision::Feature& g) {
    return f.dimension == g.dimension && (f.dimension == 0 || norm(f.e - g.e) < 1e-2 || norm(f.e + g.e) < 1e-2);
  };
  return same(c.feature_a, o.feature_a) && same(c.feature_b, o.feature_b) && norm(c.normal - o.normal) < 1e-2 &&
         norm(c.point_a - o.point_a) < 1e-1 && norm(c.point_b - o.point_b) < 1e-1;
}

TEST(GapMotion, AgreesWithDifferencesAlongRandomMotions) {
  SolidMaker random(20261110);
  constexpr Kind kKinds[] = {Kind::sphere,    Kind::capsule, Kind::box,   Kind::cylinder,
                             Kind::ellipsoid, Kind::hull,    Kind::torus, Kind::plane};
  int compared = 0, tried = 0;
  double worst_rate = 0.0, worst_acceleration = 0.0;
  const int count = repetitions(2000, 30000);
  for (int i = 0; i < count; ++i) {
    const Kind kind_a = kKinds[random.integer(7)], kind_b = kKinds[random.integer(8)];
    const Solid a = random.solid(kind_a), b = random.solid(kind_b);
    const Path of_a = random_path(random, 0.0, 1.0), of_b = random_path(random, 1.0, 3.5);
    const auto gap_at = [&](double t) {
      PairMemory memory;
      return collision::nearest(a, of_a.after(t), b, of_b.after(t), memory);
    };
    const Contact c = gap_at(0.0);
    // a torus whose center circle is inside the other has no normal there
    const double tube = (kind_a == Kind::torus ? a.radius : 0.0) + (kind_b == Kind::torus ? b.radius : 0.0);
    if ((kind_a == Kind::torus || kind_b == Kind::torus) && c.gap < -0.9 * tube) continue;
    const GapMotion motion = collision::gap_motion(c, a, of_a.at.R, of_a.motion(), b, of_b.at.R, of_b.motion());
    // the rate is n . relative velocity of the points, by its definition
    const Vec3<double> relative = of_b.motion().velocity_at(c.point_b) - of_a.motion().velocity_at(c.point_a);
    ASSERT_NEAR(motion.rate, dot(c.normal, relative), 1e-13);
    ++tried;
    // differences of sixth order; features must stay, also where the second derivative would jump
    constexpr double h = 2e-3;
    double g[7];
    bool same = true;
    for (int k = -3; k <= 3; ++k) {
      const Contact there = gap_at(k * h);
      g[k + 3] = there.gap;
      same = same && same_features(c, there);
    }
    if (!same) continue;
    const double rate = (-g[0] + 9 * g[1] - 45 * g[2] + 45 * g[4] - 9 * g[5] + g[6]) / (60 * h);
    const double acceleration =
        (2 * g[0] - 27 * g[1] + 270 * g[2] - 490 * g[3] + 270 * g[4] - 27 * g[5] + 2 * g[6]) / (180 * h * h);
    // a gap whose higher derivatives are large, near an edge of small radius, is left to others
    const double roughness = std::abs(g[0] - 6 * g[1] + 15 * g[2] - 20 * g[3] + 15 * g[4] - 6 * g[5] + g[6]);
    if (roughness > 1e-12) continue;
    ++compared;
    worst_rate = std::max(worst_rate, std::abs(rate - motion.rate));
    worst_acceleration = std::max(worst_acceleration, std::abs(acceleration - motion.acceleration));
    ASSERT_NEAR(motion.rate, rate, 1e-10) << kind_name(kind_a) << " " << kind_name(kind_b) << " " << i;
    ASSERT_NEAR(motion.acceleration, acceleration, 1e-6) << kind_name(kind_a) << " " << kind_name(kind_b) << " " << i;
  }
  EXPECT_GT(compared, tried / 3);
  RecordProperty("compared", compared);
  RecordProperty("worst_rate", std::to_string(worst_rate));
  std::printf("gap motion: %d of %d compared, rate off by %.1e m/s, second derivative by %.1e m/s^2\n", compared, tried,
              worst_rate, worst_acceleration);
}

TEST(GapMotion, NormalAndPointMoveAsDifferencesSay) {
  SolidMaker random(20261111);
  constexpr Kind kKinds[] = {Kind::sphere, Kind::capsule, Kind::box,  Kind::cylinder,
                             Kind::hull,   Kind::torus,   Kind::plane};
  int compared = 0;
  for (int i = 0; i < repetitions(500, 5000); ++i) {
    const Solid a = random.solid(kKinds[random.integer(6)]), b = random.solid(kKinds[random.integer(7)]);
    const Path of_a = random_path(random, 0.0, 1.0), of_b = random_path(random, 2.0, 4.0);
    const auto gap_at = [&](double t) {
      PairMemory memory;
      return collision::nearest(a, of_a.after(t), b, of_b.after(t), memory);
    };
    const Contact c = gap_at(0.0), before = gap_at(-1e-4), after = gap_at(1e-4);
    if (!same_features(c, before) || !same_features(c, after)) continue;
    const Vec3<double> second = after.normal - 2.0 * c.normal + before.normal;
    if (norm(second) > 1e-6) continue;
    const GapMotion motion = collision::gap_motion(c, a, of_a.at.R, of_a.motion(), b, of_b.at.R, of_b.motion());
    ASSERT_LT(norm(motion.normal_rate - (0.5 / 1e-4) * (after.normal - before.normal)), 1e-3) << i;
    ASSERT_LT(norm(motion.point_rate - (0.5 / 1e-4) * (after.point_a - before.point_a)), 1e-3)
        << kind_name(a.kind) << " " << kind_name(b.kind) << " " << i;
    ++compared;
  }
  EXPECT_GT(compared, repetitions(500, 5000) / 3);
}

TEST(GapMotion, BallThatRollsOnAPlaneKeepsItsGap) {
  // centripetal terms of the ball cancel: the contact point is no point of the ball
  const Solid ball = collision::make_solid(Sphere{0.5}), plane = collision::make_plane();
  const Pose<double> at{Mat3<double>::identity(), {0.0, 0.0, 0.5}};
  PairMemory memory;
  const Contact c = collision::nearest(ball, at, plane, {}, memory);
  const BodyMotion rolling{at.p, {0.0, 4.0, 0.0}, {2.0, 0.0, 0.0}, {}, {}};
  const GapMotion motion = collision::gap_motion(c, ball, at.R, rolling, plane, Mat3<double>::identity(), {});
  EXPECT_NEAR(motion.rate, 0.0, 1e-15);
  EXPECT_NEAR(motion.acceleration, 0.0, 1e-14);
}

}  // namespace
}  // namespace cardan::test::gap_motion_test

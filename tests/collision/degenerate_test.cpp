// Pairs that trouble collision code: touching, one inside the other, parallel, thin, tiny, huge, far from the origin.
#include "cardan/collision/internal/gjk.hpp"
#include "cardan/collision/manifold.hpp"
#include "cardan/collision/nearest.hpp"

#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cardan::test::degenerate_test {
namespace {

using collision::Contact;
using collision::Manifold;
using collision::PairMemory;

/// A solid with lengths between `small` and `large`, thin ones among them.
Solid odd_solid(SolidMaker& random, double size) {
  const auto length = [&] { return size * std::pow(10.0, random.number(-1.0, 0.0)); };
  const double thin = random.integer(3) == 0 ? 1e-9 * size : length();
  switch (random.integer(6)) {
    case 0: return collision::make_solid(Sphere{length()});
    case 1: return collision::make_solid(Capsule{length(), thin});
    case 2: return collision::make_solid(Box{length(), length(), thin});
    case 3: return collision::make_solid(Cylinder{length(), thin});
    case 4: return collision::make_solid(Ellipsoid{length(), length(), std::max(thin, 1e-3 * size)});
    default: {
      std::vector<Vec3<double>> corners;
      for (int i = 0; i < 12; ++i) corners.push_back(size * random.number(0.3, 1.0) * random.direction());
      Solid out;
      out.kind = Kind::hull;
      out.hull = std::make_shared<const collision::Hull>(collision::convex_hull(corners));
      return out;
    }
  }
}

double odd_angle(SolidMaker& random) {
  constexpr double kRight = 1.5707963267948966;
  switch (random.integer(4)) {
    case 0: return 0.0;
    case 1: return kRight * random.integer(4);
    case 2: return kRight * random.integer(4) + 1e-9 * random.number(-1.0, 1.0);
    default: return random.number(-3.0, 3.0);
  }
}

TEST(Degenerate, NoNanNoWrongSign) {
  SolidMaker random(20261112);
  const int count = repetitions(6000, 1000000);
  long touching = 0, inside = 0;
  for (int i = 0; i < count; ++i) {
    constexpr double kSizes[] = {1.0, 1.0, 1.0, 1e-9, 1e6};
    const double size = kSizes[random.integer(5)];
    const Solid a = odd_solid(random, size), b = odd_solid(random, size * std::pow(10.0, random.number(-1.0, 1.0)));
    Pose<double> at_a, at_b;
    at_a.p = random.integer(3) == 0 ? 1e3 * size * random.direction() : Vec3<double>{};
    Vec3<double> axis;
    axis[random.integer(3)] = 1.0;
    at_a.R = exp_so3(odd_angle(random) * axis);
    at_b.R = exp_so3(odd_angle(random) * axis);
    Vec3<double> toward;
    toward[random.integer(3)] = 1.0;
    if (random.integer(2) == 0) toward = random.direction();
    double distance = 0.0;
    switch (random.integer(4)) {
      case 0: break;  // one center in the other
      case 1: distance = size * random.number(0.0, 4.0); break;
      case 2:  // planes of support along the direction touch
        distance = reach(a, transpose_apply(at_a.R, toward)) + reach(b, transpose_apply(at_b.R, -toward));
        break;
      default:
        distance = (reach(a, transpose_apply(at_a.R, toward)) + reach(b, transpose_apply(at_b.R, -toward))) *
                   (1.0 + 1e-12 * random.number(-1.0, 1.0));
        break;
    }
    at_b.p = at_a.p + distance * toward;
    SCOPED_TRACE(std::to_string(i) + ": " + kind_name(a.kind) + " " + kind_name(b.kind));
    PairMemory memory;
    const Contact c = collision::nearest(a, at_a, b, at_b, memory);
    const double scale = norm(at_a.p) + norm(at_b.p) + collision::bounding_radius(a) + collision::bounding_radius(b);
    ASSERT_TRUE(std::isfinite(c.gap));
    ASSERT_NEAR(norm(c.normal), 1.0, 1e-12);
    for (int k = 0; k < 3; ++k) ASSERT_TRUE(std::isfinite(c.point_a[k]) && std::isfinite(c.point_b[k]));
    // planes of support at that distance: a positive gap is one
    ASSERT_NEAR(separation(a, at_a, b, at_b, c.normal), c.gap, 1e-12 * scale);
    // a negative gap means that they overlap: no direction separates them
    for (int k = 0; k < 20; ++k)
      ASSERT_LE(separation(a, at_a, b, at_b, random.direction()), std::max(c.gap, 0.0) + 1e-12 * scale);
    // nor does it go deeper than along the direction that touches
    const double known = separation(a, at_a, b, at_b, toward);
    ASSERT_LE(known, c.gap + 1e-12 * scale + 1e-6 * std::max(0.0, -known));
    Manifold manifold;
    collision::find_manifold(a, at_a, b, at_b, {1e-3 * size, 4}, memory, manifold);
    ASSERT_LE(manifold.count, 4);
    for (int k = 0; k < manifold.count; ++k) {
      ASSERT_TRUE(std::isfinite(manifold.contact[k].gap));
      ASSERT_TRUE(std::isfinite(norm(manifold.contact[k].point_a)));
    }
    touching += std::abs(c.gap) < 1e-9 * size ? 1 : 0;
    inside += c.gap < -0.1 * size ? 1 : 0;
  }
  EXPECT_GT(touching, count / 20);
  EXPECT_GT(inside, count / 20);
}

TEST(Degenerate, IterationsAreBounded) {
  SolidMaker random(20261113);
  int most = 0;
  for (int i = 0; i < repetitions(3000, 200000); ++i) {
    const Solid a = odd_solid(random, 1.0), b = odd_solid(random, 1.0);
    collision::CorePair pair(a, b, random.pose(3.0), 2.0);
    most = std::max(most, collision::gjk(pair, {0.0, 0.0, 1.0}).iterations);
  }
  EXPECT_LE(most, 100);
}

TEST(Degenerate, PosesThatAreNotFiniteAreRecognized) {
  Pose<double> pose;
  EXPECT_TRUE(collision::are_finite(pose));
  pose.p[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(collision::are_finite(pose));
  pose.p[1] = 0.0;
  pose.R(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(collision::are_finite(pose));
}

}  // namespace
}  // namespace cardan::test::degenerate_test

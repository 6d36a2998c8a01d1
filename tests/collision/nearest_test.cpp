// Distances against what proves them. Convex solids apart: two points on the surfaces and a pair of parallel planes of
// support between them bound the distance from both sides. Overlapping: no direction found by search separates sooner.
#include "cardan/collision/nearest.hpp"

#include "tests/collision/random_solids.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test::nearest_test {
namespace {

using collision::Contact;
using collision::nearest;
using collision::PairMemory;

Contact fresh(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b) {
  PairMemory memory;
  return nearest(a, at_a, b, at_b, memory);
}

/// The largest separation that random directions and a random walk from the best of them find.
double searched_separation(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                           SolidMaker& random) {
  Vec3<double> best = random.direction();
  double most = separation(a, at_a, b, at_b, best);
  const auto offer = [&](const Vec3<double>& n) {
    const double s = separation(a, at_a, b, at_b, n);
    if (!(s > most)) return false;
    most = s;
    best = n;
    return true;
  };
  for (int i = 0; i < 200; ++i) offer(random.direction());
  for (double step = 0.3; step > 1e-7; step *= 0.9)
    for (int i = 0; i < 6; ++i) offer(collision::unit(best + step * random.direction()));
  return most;
}

void expect_points(const Solid& a, const Pose<double>& at_a, const Solid& b, const Pose<double>& at_b,
                   const Contact& c) {
  EXPECT_NEAR(norm(c.normal), 1.0, 1e-14);
  EXPECT_LT(norm(c.point_b - c.point_a - c.gap * c.normal), 1e-14);
  EXPECT_NEAR(outside(a, inverse(at_a) * c.point_a), 0.0, 1e-12);
  EXPECT_NEAR(outside(b, inverse(at_b) * c.point_b), 0.0, 1e-12);
}

TEST(Nearest, ConvexPairsAgainstProofs) {
  SolidMaker random(20261101);
  const int count = repetitions(2500, 100000);
  for (int i = 0; i < count; ++i) {
    const Kind kind_a = kConvexKinds[random.integer(6)], kind_b = kConvexKinds[random.integer(6)];
    const Solid a = random.solid(kind_a), b = random.solid(kind_b);
    const Pose<double> at_a = random.pose(1.0), at_b = random.pose(2.5);
    SCOPED_TRACE(std::string(kind_name(kind_a)) + " and " + kind_name(kind_b) + ", trial " + std::to_string(i));
    const Contact c = fresh(a, at_a, b, at_b);
    // planes of support at that distance: no points are nearer; no shorter way out along this direction
    ASSERT_NEAR(separation(a, at_a, b, at_b, c.normal), c.gap, 1e-12);
    expect_points(a, at_a, b, at_b, c);
    if (c.gap < 0.0 && i % 5 == 0) {
      ASSERT_LE(searched_separation(a, at_a, b, at_b, random), c.gap + 1e-6);
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST(Nearest, PlanesAgainstProofs) {
  SolidMaker random(20261102);
  for (int i = 0; i < repetitions(1000, 30000); ++i) {
    const Kind kind = i % 7 == 6 ? Kind::torus : kConvexKinds[i % 7];
    const Solid a = random.solid(kind), plane = collision::make_plane();
    const Pose<double> at_a = random.pose(1.0), at_plane = random.pose(1.0);
    const Contact c = fresh(a, at_a, plane, at_plane);
    SCOPED_TRACE(kind_name(kind));
    const Vec3<double> up = at_plane.R * Vec3<double>{0.0, 0.0, 1.0};
    EXPECT_LT(norm(c.normal + up), 1e-14);
    expect_points(a, at_a, plane, at_plane, c);
    if (kind != Kind::torus) {
      ASSERT_NEAR(c.gap, dot(up, at_a.p - at_plane.p) - reach(a, transpose_apply(at_a.R, -up)), 1e-13);
    } else {
      // circle and tube
      const Vec3<double> n = transpose_apply(at_a.R, -up);
      ASSERT_NEAR(c.gap, dot(up, at_a.p - at_plane.p) - a.half[0] * std::hypot(n[0], n[1]) - a.radius, 1e-13);
    }
    const Contact other = fresh(plane, at_plane, a, at_a);
    EXPECT_NEAR(other.gap, c.gap, 1e-14);
    EXPECT_LT(norm(other.normal + c.normal), 1e-13);
    ASSERT_FALSE(HasFailure());
  }
}

/// Least distance of the torus' center circle to the other, by sampling and golden-section search, less the tube.
double torus_gap(const Solid& torus, const Pose<double>& at, const Solid& b, const Pose<double>& at_b) {
  const auto value = [&](double u) {
    const Vec3<double> x = at * Vec3<double>{torus.half[0] * std::cos(u), torus.half[0] * std::sin(u), 0.0};
    const Vec3<double> y = inverse(at_b) * x;
    if (b.kind != Kind::box && b.kind != Kind::cylinder) return outside(b, y) - torus.radius;  // exact distances
    double inside = outside(b, y), sum = 0.0;
    if (inside > 0.0) {
      const double rho = std::hypot(y[0], y[1]);
      const Vec3<double> beyond =
          b.kind == Kind::box
              ? Vec3<double>{std::abs(y[0]) - b.half[0], std::abs(y[1]) - b.half[1], std::abs(y[2]) - b.half[2]}
              : Vec3<double>{rho - b.half[0], 0.0, std::abs(y[2]) - b.half[2]};
      for (int k = 0; k < 3; ++k) sum += std::pow(std::max(0.0, beyond[k]), 2);
      inside = std::sqrt(sum);
    }
    return inside - torus.radius;
  };
  double best = 1e300;
  constexpr int kSamples = 2000;
  for (int i = 0; i < kSamples; ++i) {
    const double width = 2.0 * std::numbers::pi / kSamples;
    const double middle = width * i;
    if (value(middle) > value(middle - width) || value(middle) > value(middle + width)) continue;
    double low = middle - width, high = middle + width;
    for (int k = 0; k < 60; ++k) {
      const double p = low + 0.381966 * (high - low), q = low + 0.618034 * (high - low);
      (value(p) < value(q) ? high : low) = value(p) < value(q) ? q : p;
    }
    best = std::min(best, value(0.5 * (low + high)));
  }
  return best;
}

TEST(Nearest, TorusAgainstSampling) {
  SolidMaker random(20261103);
  constexpr Kind kOthers[] = {Kind::sphere, Kind::capsule, Kind::box, Kind::cylinder, Kind::torus};
  for (int i = 0; i < repetitions(100, 2000); ++i) {
    const Kind kind = kOthers[i % 5];
    const Solid torus = random.solid(Kind::torus), b = random.solid(kind);
    const Pose<double> at = random.pose(1.0), at_b = random.pose(2.5);
    const Contact c = fresh(torus, at, b, at_b);
    ASSERT_NEAR(c.gap, torus_gap(torus, at, b, at_b), 1e-12) << kind_name(kind) << i;
    if (c.gap > -torus.radius) {  // the circle itself is outside: the normal is perpendicular to it
      ASSERT_NEAR(outside(torus, inverse(at) * c.point_a), 0.0, 1e-12) << kind_name(kind) << i;
    }
    const Contact other = fresh(b, at_b, torus, at);
    ASSERT_NEAR(other.gap, c.gap, 1e-12);
  }
}

TEST(Nearest, TorusAgainstEllipsoidsAndHullsByTheirBounds) {
  SolidMaker random(20261104);
  for (int i = 0; i < repetitions(100, 2000); ++i) {
    const Solid torus = random.solid(Kind::torus), b = random.solid(i % 2 == 0 ? Kind::ellipsoid : Kind::hull);
    const Pose<double> at = random.pose(1.0), at_b = random.pose(3.0);
    const Contact c = fresh(torus, at, b, at_b);
    if (c.gap > -torus.radius) {
      ASSERT_NEAR(outside(torus, inverse(at) * c.point_a), 0.0, 1e-12) << i;
    }
    ASSERT_NEAR(outside(b, inverse(at_b) * c.point_b), 0.0, 1e-12) << i;
    // no point of the circle is nearer
    for (int k = 0; k < 200; ++k) {
      const double u = random.number(0.0, 6.3);
      Solid point;
      const Vec3<double> x = at * Vec3<double>{torus.half[0] * std::cos(u), torus.half[0] * std::sin(u), 0.0};
      ASSERT_GE(fresh(point, {Mat3<double>::identity(), x}, b, at_b).gap - torus.radius, c.gap - 1e-12);
    }
  }
}

TEST(Nearest, ClosedForms) {
  SolidMaker random(20261105);
  for (int i = 0; i < repetitions(2000, 100000); ++i) {
    const Pose<double> at_a = random.pose(2.0), at_b = random.pose(2.0);
    const double r = random.number(0.1, 1.0);
    const Solid ball = collision::make_solid(Sphere{r});
    const Solid other = random.solid(kConvexKinds[i % 3]), box = random.solid(Kind::box);
    // sphere against sphere, capsule
    if (other.kind != Kind::box) {
      ASSERT_NEAR(fresh(ball, at_a, other, at_b).gap, outside(other, inverse(at_b) * at_a.p) - r, 1e-12);
    }
    // sphere against box: nearest point by clamping, or nearest face from inside
    const Vec3<double> x = inverse(at_b) * at_a.p;
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) sum += std::pow(std::max(0.0, std::abs(x[k]) - box.half[k]), 2);
    const double expected = (sum > 0.0 ? std::sqrt(sum) : outside(box, x)) - r;
    ASSERT_NEAR(fresh(ball, at_a, box, at_b).gap, expected, 1e-12);
  }
}

TEST(Nearest, NearlyTouchingPairsKeepTheirNormal) {
  // the direction of a distance of 1e-11 m cannot come from the distance itself
  SolidMaker random(20261106);
  for (int i = 0; i < repetitions(300, 20000); ++i) {
    const Kind kind_a = kConvexKinds[random.integer(6)], kind_b = kConvexKinds[random.integer(6)];
    const Solid a = random.solid(kind_a), b = random.solid(kind_b);
    const Pose<double> at_a = random.pose(0.5);
    Pose<double> at_b = random.pose(0.0);
    at_b.p = at_a.p + 4.0 * random.direction();
    // move b along the normal until only 1e-11 m are left: n and the features stay
    const Contact apart = fresh(a, at_a, b, at_b);
    ASSERT_GT(apart.gap, 0.0);
    for (const double left : {1e-5, 1e-8, 1e-11, -1e-11, -1e-8}) {
      Pose<double> moved = at_b;
      moved.p -= (apart.gap - left) * apart.normal;
      const Contact c = fresh(a, at_a, b, moved);
      // overlapping, there may be a shorter way out than back; tips may even pass one another
      const bool flat = apart.feature_a.dimension + apart.feature_b.dimension >= 2;
      // a tip at a rim has a normal that hangs on a tiny distance: the gap may then be short by a part of itself
      const double rounding = (std::abs(left) <= 1e-11 ? 0.5 : 0.0) * std::abs(left);
      ASSERT_GE(c.gap, left - 1e-12 - rounding) << kind_name(kind_a) << " " << kind_name(kind_b) << " " << i;
      if (flat || left > 0.0) {
        ASSERT_LE(c.gap, std::max(left, 0.0) + 1e-11) << kind_name(kind_a) << " " << kind_name(kind_b) << " " << i;
      }
      // a vertex against a vertex or an edge has a normal only while it is apart
      const bool smooth = a.radius + b.radius > 0.0 || (kind_a == Kind::ellipsoid || kind_b == Kind::ellipsoid);
      if (flat || smooth) {
        ASSERT_LT(norm(c.normal - apart.normal), 1e-5 * (flat ? 1e-3 : 1.0))
            << kind_name(kind_a) << " " << kind_name(kind_b) << " " << i;
      }
    }
  }
}

TEST(Nearest, WarmStartsAgreeWithFreshOnes) {
  SolidMaker random(20261107);
  for (int i = 0; i < repetitions(300, 10000); ++i) {
    const Solid a = random.solid(kConvexKinds[random.integer(6)]), b = random.solid(kConvexKinds[random.integer(6)]);
    Pose<double> at_a = random.pose(1.0), at_b = random.pose(2.5);
    const Vec3<double> turn = random.direction(), go = random.direction();
    PairMemory memory;
    for (int k = 0; k < 20; ++k) {
      at_a.R = exp_so3(0.01 * turn) * at_a.R;
      at_a.p += 0.01 * go;
      const double warm = nearest(a, at_a, b, at_b, memory).gap, cold = fresh(a, at_a, b, at_b).gap;
      // deep in one another curved solids may have two ways out that are almost equally short
      const bool exact = cold > 0.0 || !(a.is_curved() || b.is_curved());
      ASSERT_NEAR(warm, cold, exact ? 1e-12 : 1e-6)
          << kind_name(a.kind) << " " << kind_name(b.kind) << " " << i << " " << k;
    }
  }
}

}  // namespace
}  // namespace cardan::test::nearest_test

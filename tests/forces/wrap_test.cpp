// Wrapping over surfaces: lengths and slopes against geodesics found elsewhere, second derivatives against differences,
// liftoff, and independence of the poses before.
#include "cardan/forces/wrap_surface.hpp"

#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/shared_data.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

using Want = WrapSurface::Want;

Vec3<double> vec3(const nlohmann::json& x) { return {x[0].get<double>(), x[1].get<double>(), x[2].get<double>()}; }

std::shared_ptr<const WrapSurface> make_surface(const nlohmann::json& c) {
  const std::string kind = c.at("kind");
  const auto& size = c.at("dimensions");
  const Vec3<double> side = vec3(c.at("contact_hint"));
  if (kind == "sphere") return wrap_sphere(size[0], side);
  if (kind == "cylinder") return wrap_cylinder(size[0], side);
  if (kind == "ellipsoid") return wrap_ellipsoid(vec3(size), side);
  return wrap_torus(size[0], size[1], side);
}

Vec3<double> turned(const Vec3<double>& x, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]};
}

TEST(Wrap, LengthsAndMomentArmsOfReferenceGeodesics) {
  const auto file = shared_json("forces/wrap_cases.json");
  if (!file) GTEST_SKIP() << missing_data("forces/wrap_cases.json");
  Worst lengths("lengths of wrapped paths", 1e-10), arms("moment arms", 1e-10);
  for (const auto& c : file->at("cases")) {
    const auto surface = make_surface(c);
    const Vec3<double> P = vec3(c.at("origin_on_ground")), insertion = vec3(c.at("insertion_on_body"));
    for (std::size_t i = 0; i < c.at("theta").size(); ++i) {
      const double theta = c.at("theta")[i];
      const auto& exact = c.at("exact")[i];
      const std::string where = c.at("kind").get<std::string>() + ", theta " + std::to_string(theta);
      const Vec3<double> S = turned(insertion, theta);
      const WrappedCurve curve = surface->wrap(P, S, Want::slopes);
      if (exact.contains("arc") && exact.at("arc").get<double>() < 0.0) {
        EXPECT_FALSE(curve.touches) << where;  // lifted off: straight
        continue;
      }
      ASSERT_TRUE(curve.touches) << where;
      // the file's closed forms give the shorter way, and the one over the side as the other where they differ
      const bool other = exact.contains("length_on_the_other_side") && theta < -0.1;
      lengths.add(std::abs(curve.length - exact.at(other ? "length_on_the_other_side" : "length").get<double>()),
                  where);
      const double arm = -dot(curve.by_S, cross(Vec3<double>{0.0, 0.0, 1.0}, S));
      if (!other) arms.add(std::abs(arm - exact.at("moment_arm").get<double>()), where);
    }
  }
}

TEST(Wrap, PathOverASphereInClosedForm) {
  const auto file = shared_json("forces/closed_form.json");
  if (!file) GTEST_SKIP() << missing_data("forces/closed_form.json");
  for (const auto& c : file->at("cases")) {
    if (c.at("name") != "sphere_path") continue;
    const Vec3<double> P = vec3(c.at("given").at("P")), S = vec3(c.at("given").at("S"));
    const WrappedCurve curve = wrap_sphere(c.at("given").at("R"), P + S)->wrap(P, S, Want::slopes);  // the short way
    EXPECT_NEAR(curve.length, c.at("expected").at("length").get<double>(), 1e-13);
    EXPECT_NEAR(curve.arc, c.at("expected").at("arc").get<double>(), 1e-13);
    return;
  }
  FAIL() << "the case is not there";
}

/// Random ends that wrap over the surface.
struct Ends {
  Vec3<double> P, S;
};
std::vector<std::pair<std::string, std::shared_ptr<const WrapSurface>>> all_surfaces() {
  const Vec3<double> side{0.1, 0.3, 0.05};
  return {{"sphere", wrap_sphere(0.3, side)},
          {"cylinder", wrap_cylinder(0.3, side)},
          {"ellipsoid", wrap_ellipsoid({0.35, 0.25, 0.5}, side)},
          {"torus", wrap_torus(0.4, 0.12, {0.28, 0.0, 0.0})}};
}
Ends random_ends(Random& random, const std::string& kind) {
  if (kind == "torus")
    return {{random.uniform(0.42, 0.55), random.uniform(-0.1, 0.1), random.uniform(0.3, 0.6)},
            {random.uniform(0.42, 0.55), random.uniform(-0.1, 0.1), random.uniform(-0.6, -0.3)}};
  return {{random.uniform(-1.0, -0.6), random.uniform(-0.1, 0.1), random.uniform(-0.2, 0.2)},
          {random.uniform(0.6, 1.0), random.uniform(-0.1, 0.1), random.uniform(-0.2, 0.2)}};
}

TEST(Wrap, SlopesAndSecondDerivativesAreThoseOfTheLength) {
  Worst slopes("dl against differences", 1e-8), second("d2l against differences of dl", 1e-6),
      units("size of dl against one", 1e-11), symmetric("symmetry of d2l", 1e-9);
  for (const auto& [kind, surface] : all_surfaces()) {
    Random random(4);
    for (int trial = 0; trial < 10; ++trial) {
      const Ends e = random_ends(random, kind);
      const WrappedCurve at = surface->wrap(e.P, e.S, Want::second_derivatives);
      if (!at.touches) continue;
      units.add(std::abs(norm(at.by_P) - 1.0) + std::abs(norm(at.by_S) - 1.0), kind);
      const double h = 1e-5;
      for (int i = 0; i < 6; ++i) {
        Ends up = e, down = e;
        (i < 3 ? up.P[i] : up.S[i - 3]) += h;
        (i < 3 ? down.P[i] : down.S[i - 3]) -= h;
        const WrappedCurve a = surface->wrap(up.P, up.S, Want::slopes), b = surface->wrap(down.P, down.S, Want::slopes);
        if (!a.touches || !b.touches) continue;
        slopes.add(std::abs((a.length - b.length) / (2.0 * h) - (i < 3 ? at.by_P[i] : at.by_S[i - 3])), kind);
        for (int r = 0; r < 3; ++r) {
          const double by_P = (a.by_P[r] - b.by_P[r]) / (2.0 * h), by_S = (a.by_S[r] - b.by_S[r]) / (2.0 * h);
          second.add(std::abs(by_P - (i < 3 ? at.by_PP(r, i) : at.by_PS(r, i - 3))), kind);
          second.add(std::abs(by_S - (i < 3 ? at.by_PS(i, r) : at.by_SS(r, i - 3))), kind);
        }
      }
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          symmetric.add(std::abs(at.by_PP(r, c) - at.by_PP(c, r)) + std::abs(at.by_SS(r, c) - at.by_SS(c, r)), kind);
    }
  }
}

/// Statement 29: where the arc vanishes, length and slope go over into those of the straight line.
TEST(Wrap, LiftsOffWithoutAJumpInLengthOrSlope) {
  Worst lengths("length at liftoff against the straight line", 1e-7), slopes("its slope", 2e-3);
  for (const auto& [kind, surface] : all_surfaces()) {
    const bool is_torus = kind == "torus";
    const Vec3<double> P = is_torus ? Vec3<double>{0.45, 0.0, 0.5} : Vec3<double>{-0.8, 0.1, 0.1};
    const auto S = [&](double x) { return is_torus ? Vec3<double>{x, 0.02, -0.5} : Vec3<double>{0.7, x, -0.05}; };
    // between a place where it touches and one where it does not
    double in = is_torus ? 0.5 : -0.2, out = is_torus ? -0.2 : 0.9;
    ASSERT_TRUE(surface->wrap(P, S(in), Want::slopes).touches) << kind;
    ASSERT_FALSE(surface->wrap(P, S(out), Want::slopes).touches) << kind;
    while (std::abs(in - out) > 1e-6) {
      const double middle = 0.5 * (in + out);
      (surface->wrap(P, S(middle), Want::slopes).touches ? in : out) = middle;
    }
    const WrappedCurve last = surface->wrap(P, S(in), Want::slopes);
    const Vec3<double> d = S(in) - P;
    lengths.add(std::abs(last.length - norm(d)), kind);
    slopes.add(norm(last.by_S - (1.0 / norm(d)) * d), kind);
  }
}

/// Statement 30: a pose gives one length, whatever was asked before.
TEST(Wrap, DoesNotDependOnEarlierPoses) {
  Worst worst("length after a sweep against the first asked", 1e-12);
  for (const auto& [kind, surface] : all_surfaces()) {
    Random random(9);
    for (int trial = 0; trial < 6; ++trial) {
      const Ends e = random_ends(random, kind);
      const Ends far = random_ends(random, kind);
      for (int k = 0; k <= 50; ++k) {  // from far away, in small steps
        const double w = k / 50.0;
        surface->wrap(far.P + w * (e.P - far.P), far.S + w * (e.S - far.S), Want::slopes);
      }
      const WrappedCurve swept = surface->wrap(e.P, e.S, Want::slopes);
      for (const auto& [name, fresh] : all_surfaces())
        if (name == kind) {
          const WrappedCurve first = fresh->wrap(e.P, e.S, Want::slopes);
          ASSERT_EQ(first.touches, swept.touches) << kind;
          worst.add(std::abs(first.length - swept.length), kind);
        }
    }
  }
}

TEST(Wrap, OfAnEllipsoidThatIsASphereIsThatOfTheSphere) {
  Worst worst("ellipsoid with equal axes against the sphere", 1e-12);
  const Vec3<double> side{0.0, 1.0, 0.0};
  const auto sphere = wrap_sphere(0.3, side), ellipsoid = wrap_ellipsoid({0.3, 0.3, 0.3}, side);
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    // on the side: with both ends on a line with the center, all ways round a sphere are the same
    const Ends e{{random.uniform(-1.0, -0.6), random.uniform(0.05, 0.2), random.uniform(-0.03, 0.03)},
                 {random.uniform(0.6, 1.0), random.uniform(0.05, 0.2), random.uniform(-0.03, 0.03)}};
    const WrappedCurve a = sphere->wrap(e.P, e.S, Want::second_derivatives),
                       b = ellipsoid->wrap(e.P, e.S, Want::second_derivatives);
    ASSERT_EQ(a.touches, b.touches);
    if (!a.touches) continue;
    worst.add(std::abs(a.length - b.length));
    worst.add(norm(a.by_P - b.by_P) + norm(a.by_S - b.by_S));
    for (int r = 0; r < 3; ++r) worst.add(1e-2 * norm(a.by_PS.row[r] - b.by_PS.row[r]));
  }
}

TEST(Wrap, EndsInsideAndOnOneLineAreStraightOrFinite) {
  for (const auto& [kind, surface] : all_surfaces()) {
    EXPECT_FALSE(surface->wrap({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, Want::slopes).touches && kind != "torus") << kind;
    EXPECT_FALSE(surface->wrap({0.4, 0.0, 0.01}, {1.0, 0.0, 0.0}, Want::slopes).touches && kind == "torus") << kind;
  }
  // both ends on a line with the center: half a turn over the side
  const auto sphere = wrap_sphere(0.3, {0.0, 1.0, 0.0});
  const WrappedCurve curve = sphere->wrap({-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, Want::second_derivatives);
  ASSERT_TRUE(curve.touches);
  EXPECT_NEAR(curve.length, 2.0 * std::sqrt(0.91) + 0.3 * (std::numbers::pi - 2.0 * std::acos(0.3)), 1e-14);
  EXPECT_GT(curve.first[1], 0.0);
  EXPECT_TRUE(std::isfinite(curve.by_PP(0, 0)));
}

TEST(Wrap, TheShorterWayIsTheShorterOfBothSides) {
  Random random(33);
  const Vec3<double> axes{0.5, 0.4, 0.45};
  const auto sphere = wrap_shorter_way([](const Vec3<double>& side) { return wrap_sphere(0.4, side); }, Sphere{0.4});
  const auto cylinder =
      wrap_shorter_way([](const Vec3<double>& side) { return wrap_cylinder(0.4, side); }, Cylinder{0.4, 1.6});
  const auto ellipsoid = wrap_shorter_way([&](const Vec3<double>& side) { return wrap_ellipsoid(axes, side); },
                                          Ellipsoid{axes[0], axes[1], axes[2]});
  int touching = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3<double> P{-1.5, random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7)},
        S{1.5, random.uniform(-0.7, 0.7), random.uniform(-0.7, 0.7)};
    for (const auto& surface : {sphere, cylinder, ellipsoid}) {
      const double part = surface->nearest_part(P, S);
      Vec3<double> m = P + part * (S - P);
      if (surface == cylinder) m[2] = 0.0;
      const auto sided = [&](const Vec3<double>& side) {
        const auto one = surface == sphere     ? wrap_sphere(0.4, side)
                         : surface == cylinder ? wrap_cylinder(0.4, side)
                                               : wrap_ellipsoid(axes, side);
        const WrappedCurve curve = one->wrap(P, S, Want::slopes);
        return curve.touches ? curve.length : norm(S - P);
      };
      const WrappedCurve curve = surface->wrap(P, S, Want::slopes);
      const double length = curve.touches ? curve.length : norm(S - P);
      if (surface != ellipsoid) EXPECT_EQ(curve.touches, norm(m) < 0.4);
      EXPECT_LE(length, sided(-m) + 1e-12);
      if (surface == ellipsoid)
        EXPECT_LE(length, sided(m) + 1e-9);  // which may end in a longer geodesic
      else
        EXPECT_NEAR(length, sided(m), 1e-12);
      touching += curve.touches ? 1 : 0;
    }
  }
  EXPECT_GT(touching, 100);
}

TEST(Wrap, ATorusIsWrappedOnTheInsideOfItsTube) {
  const auto torus =
      wrap_shorter_way([](const Vec3<double>& side) { return wrap_torus(1.0, 0.2, side); }, Torus{1.0, 0.2});
  // through the hole, near the tube at x = 1: pushed towards the axis
  const WrappedCurve curve = torus->wrap({1.3, 0.0, -1.0}, {1.3, 0.0, 1.0}, Want::slopes);
  ASSERT_TRUE(curve.touches);
  EXPECT_GT(curve.length, 2.0);
  EXPECT_LT(curve.first[0], 1.0);
  EXPECT_FALSE(torus->wrap({0.0, 0.0, -1.0}, {0.0, 0.0, 1.0}, Want::slopes).touches);
}

TEST(Wrap, CylindersEndWithTheirLength) {
  const Vec3<double> side{0.0, 1.0, 0.0};
  const auto curve = [&](double z, double length) {
    return wrap_cylinder(0.3, side, length)->wrap({-1.0, -0.1, z}, {1.0, -0.1, z}, Want::slopes);
  };
  EXPECT_TRUE(curve(0.4, 1.0).touches);
  EXPECT_FALSE(curve(0.6, 1.0).touches);
  EXPECT_THROW(wrap_cylinder(0.3, side, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test

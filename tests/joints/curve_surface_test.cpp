// Curves, surfaces and splines as joints: the common joint tester, the frames they promise, and where they fail.
#include "cardan/joints/curve.hpp"
#include "cardan/joints/spline.hpp"
#include "cardan/joints/surface.hpp"
#include "cardan/model/model_builder.hpp"
#include "tests/support/joint_tester.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

constexpr double kPi = std::numbers::pi;

const std::vector<Vec3<double>> kPoints{{-2.0, 0.1, 0.3}, {-1.0, 1.0, 0.2}, {0.5, -0.7, 0.4}, {2.0, 0.3, -0.1}};

Surface bezier_patch() {
  std::vector<std::vector<Vec3<double>>> points;
  for (int i = 0; i < 3; ++i) {
    points.emplace_back();
    for (int j = 0; j < 4; ++j) points.back().push_back({1.0 * i, 0.8 * j, 0.2 * i * j - 0.1 * j * j + 0.05 * i});
  }
  return bezier_surface(points);
}

Surface saddle() {
  return point_surface([](Expr u, Expr v) { return Vec3<Expr>{u, v, Expr(0.3) * u * v + Expr(0.1) * sin(u)}; });
}

std::vector<Pose<double>> control_frames() {
  std::vector<Pose<double>> frames;
  for (int i = 0; i < 7; ++i) {
    const double a = 2.0 * kPi * i / 7;
    frames.push_back({rotation_rpy(0.3 * std::sin(a), 0.4 * std::cos(2.0 * a), 0.5 * std::sin(a)),
                      Vec3<double>{std::cos(a), 1.3 * std::sin(a), 0.2 * std::sin(2.0 * a)}});
  }
  frames[3].R = frames[2].R;  // a step that does not turn
  return frames;
}

Curve other_curve() {
  return [](Expr s) { return Vec3<Expr>{cos(s), Expr(0.4) * s, sin(s) - s * s}; };
}

SplineControls spline_controls(std::size_t n = 4, std::size_t m = 4) {
  SplineControls controls(n, std::vector<std::array<double, 6>>(m));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const double x = static_cast<double>(i), y = static_cast<double>(j);
      controls[i][j] = {x, y, 0.2 * x * y, 0.1 * x, 0.15 * y - 0.1, 0.05 * x * x};
    }
  return controls;
}

/// One of each, by the name that it gives itself.
std::vector<std::pair<std::string, ExpressionJoint>> invented_joints() {
  const Surface ball = sphere_surface(0.5), egg = ellipsoid_surface(0.7, 0.5, 0.4), ring = torus_surface(0.8, 0.2);
  return {{"on_curve", on_curve(bezier_curve(kPoints))},
          {"on_curve", on_curve(bezier_curve(kPoints), free_spin, {0.0, 1.0, 0.2})},
          {"on_surface", on_surface(ball, free_spin)},
          {"on_surface", on_surface(egg)},
          {"on_surface", on_surface(ring, frozen_spin(0.3))},
          {"on_surface", on_surface(bezier_patch(), free_spin)},
          {"on_surface", on_surface(saddle())},
          {"surface", surface_on_surface(ball, egg)},
          {"surface", surface_on_surface(ring, ring, frozen_spin(0.5 * kPi))},
          {"surface", surface_on_surface(egg, ring, free_spin)},
          {"surface", surface_on_surface(bezier_patch(), ball, free_spin)},
          {"spline_curve", spline_curve(control_frames())},
          {"spline_curve", spline_curve(control_frames(), true)},
          {"curve", curve_on_curve(bezier_curve(kPoints), other_curve())},
          {"curve", curve_on_curve(bezier_curve(kPoints), other_curve(), free_spin)},
          {"curve", curve_across_curve(bezier_curve(kPoints), other_curve())},
          {"spline_curve", spline_curve(control_frames(), false, SplineBasis::catmull_rom)},
          {"spline_surface", spline_surface(spline_controls())},
          {"spline_surface", spline_surface(spline_controls(6, 5))},
          {"spline_surface", spline_surface(spline_controls(7, 4), SplineBasis::bezier)}};
}

TEST(InventedJoints, PoseSubspaceAndBiasAgree) {
  Random random(5);
  for (const auto& [kind, type] : invented_joints()) {
    Joint joint = type;
    EXPECT_EQ(joint.type_name(), kind);
    for (int i = 0; i < 8; ++i) {
      joint.reversed = i % 2 == 1;
      const Eigen::VectorXd q = random.values(joint.nq(), 0.9), v = random.values(joint.nv());
      check_joint(joint, {q.begin(), q.end()}, {v.begin(), v.end()});
    }
  }
}

TEST(InventedJoints, RightDynamicsAtTheRootInsideAndAtTheTip) {
  unsigned seed = 100;
  for (const auto& [kind, type] : invented_joints()) check_joint_in_models(type, ++seed);
}

Pose<double> pose_at(const Joint& joint, const std::vector<double>& q) {
  return evaluate(joint, q, std::vector<double>(static_cast<std::size_t>(joint.nv()))).pose;
}
Vec3<double> column(const Pose<double>& pose, int j) { return {pose.R(0, j), pose.R(1, j), pose.R(2, j)}; }

/// Two curves touch: the points are one, and the tangents are parallel, or not.
TEST(InventedJoints, CurvesThatTouchShareAPoint) {
  const Curve a = bezier_curve(kPoints), b = other_curve();
  const Joint along = curve_on_curve(a, b), across = curve_across_curve(a, b);
  const Joint on_a = on_curve(a), on_b = on_curve(b);
  const Pose<double> at_a = pose_at(on_a, {0.3}), at_b = pose_at(on_b, {0.7});
  const Pose<double> G = pose_at(along, {0.3, 0.7}), H = pose_at(across, {0.3, 0.7, 0.4, -0.5, 0.2});
  for (const Pose<double>& pose : {G, H}) EXPECT_LT(norm((pose * at_b).p - at_a.p), 1e-14);
  EXPECT_LT(norm(column(G * at_b, 2) - column(at_a, 2)), 1e-14);
  EXPECT_GT(norm(column(H * at_b, 2) - column(at_a, 2)), 0.1);
}

/// Every patch of a larger net is the patch of its own 16 controls.
TEST(InventedJoints, NetsAreMadeOfPatches) {
  for (const SplineBasis basis : {SplineBasis::b_spline, SplineBasis::catmull_rom, SplineBasis::bezier}) {
    const std::size_t stride = basis == SplineBasis::bezier ? 3 : 1;
    const SplineControls net = spline_controls(7, 7);
    const Joint whole = spline_surface(net, basis);
    for (const auto& [i, j] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1)}) {
      SplineControls part(4, std::vector<std::array<double, 6>>(4));
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b)
          part[a][b] = net[stride * static_cast<std::size_t>(i) + a][stride * static_cast<std::size_t>(j) + b];
      const Joint patch = spline_surface(part, basis);
      const Pose<double> found = pose_at(whole, {i + 0.3, j + 0.8}), expected = pose_at(patch, {0.3, 0.8});
      EXPECT_LT(norm(found.p - expected.p), 1e-13);
      for (int c = 0; c < 3; ++c) EXPECT_LT(norm(column(found, c) - column(expected, c)), 1e-13);
    }
  }
}

/// Catmull and Rom's splines pass through their controls, Bezier's through every third.
TEST(InventedJoints, OtherBasesPassThroughTheirControls) {
  const std::vector<Pose<double>> frames = control_frames();
  const auto near_frame = [](const Pose<double>& found, const Pose<double>& expected) {
    double error = norm(found.p - expected.p);
    for (int c = 0; c < 3; ++c) error = std::max(error, norm(column(found, c) - column(expected, c)));
    return error < 1e-12;
  };
  const Joint smooth = spline_curve(frames, false, SplineBasis::catmull_rom);
  for (std::size_t k = 0; k + 3 < frames.size(); ++k) {
    EXPECT_TRUE(near_frame(pose_at(smooth, {static_cast<double>(k)}), frames[k + 1])) << k;
    EXPECT_TRUE(near_frame(pose_at(smooth, {static_cast<double>(k) + 1.0 - 1e-14}), frames[k + 2])) << k;
  }
  const std::vector<Pose<double>> four(frames.begin(), frames.begin() + 4);
  const Joint bezier = spline_curve(four, false, SplineBasis::bezier);
  EXPECT_TRUE(near_frame(pose_at(bezier, {0.0}), four[0]));
  EXPECT_TRUE(near_frame(pose_at(bezier, {1.0}), four[3]));
  EXPECT_THROW(spline_curve(std::vector<Pose<double>>(5), false, SplineBasis::bezier), std::invalid_argument);
}

TEST(InventedJoints, BezierCurvePassesItsEndsAlongItsTangents) {
  const Joint joint = on_curve(bezier_curve(kPoints));
  for (const bool end : {false, true}) {
    const Pose<double> pose = pose_at(joint, {end ? 1.0 : 0.0});
    const Vec3<double> tangent = end ? kPoints[3] - kPoints[2] : kPoints[1] - kPoints[0];
    EXPECT_LT(norm(pose.p - (end ? kPoints[3] : kPoints[0])), 1e-14);
    EXPECT_LT(norm(column(pose, 2) - (1.0 / norm(tangent)) * tangent), 1e-14);
    EXPECT_LT(std::abs(pose.R(2, 0)), 1e-15);  // x is level: perpendicular to up
    EXPECT_GT(column(pose, 1)[2], 0.0);
  }
}

/// Closed frames of the named surfaces against the general recipe on their points.
TEST(InventedJoints, NamedSurfacesHaveTheFramesOfTheirPoints) {
  const auto globe = [](double a, double b, double c) {
    return point_surface([=](Expr u, Expr v) {
      return Vec3<Expr>{Expr(a) * cos(v) * cos(u), Expr(b) * cos(v) * sin(u), Expr(c) * sin(v)};
    });
  };
  const Surface ring = point_surface([](Expr u, Expr v) {
    const Expr r = Expr(0.8) + Expr(0.3) * cos(v);
    return Vec3<Expr>{r * cos(u), r * sin(u), Expr(0.3) * sin(v)};
  });
  const std::pair<Surface, Surface> pairs[]{{sphere_surface(0.6), globe(0.6, 0.6, 0.6)},
                                            {ellipsoid_surface(0.7, 0.5, 0.3), globe(0.7, 0.5, 0.3)},
                                            {ellipsoid_surface(0.5, 0.5, 0.3), globe(0.5, 0.5, 0.3)},
                                            {torus_surface(0.8, 0.3), ring}};
  for (const auto& [named, general] : pairs) {
    const ExpressionJoint a = on_surface(named), b = on_surface(general);
    EXPECT_LT(a.operations(), b.operations());
    for (const double u : {-2.0, 0.4, 1.9})
      for (const double v : {-1.1, 0.0, 0.7}) {
        const Pose<double> p = pose_at(a, {u, v}), expected = pose_at(b, {u, v});
        EXPECT_LT(norm(p.p - expected.p), 1e-15);
        for (int j = 0; j < 3; ++j) EXPECT_LT(norm(column(p, j) - column(expected, j)), 2e-15);
        EXPECT_GT(dot(column(p, 2), p.p), 0.0);  // outward
      }
  }
}

/// Operations of pose, S and c_J together. These are what was reached; more would be a step back.
TEST(InventedJoints, CostFewOperations) {
  const Surface ball = sphere_surface(0.5), ring = torus_surface(0.8, 0.2), egg = ellipsoid_surface(0.7, 0.5, 0.4);
  EXPECT_LE(on_surface(ball).operations(), 21);
  EXPECT_LE(on_surface(ring).operations(), 26);
  EXPECT_LE(on_surface(egg).operations(), 280);
  EXPECT_LE(surface_on_surface(ball, ball).operations(), 123);
  EXPECT_LE(surface_on_surface(ring, ring, frozen_spin(0.5 * kPi)).operations(), 159);
  EXPECT_LE(surface_on_surface(ring, ring, free_spin).operations(), 243);
  EXPECT_LE(ExpressionJoint({"a", "b"}, "rotx(a) * roty(b)").operations(), 15);
}

/// A product of known motions costs less than the same pose as a whole.
TEST(InventedJoints, FactorsAreCheaperThanTheirProduct) {
  const Surface ring = torus_surface(0.8, 0.2);
  const ExpressionJoint factors = on_surface(ring),
                        whole(2, [&](std::span<const Expr> q) { return MotionProduct(ring(q[0], q[1]).pose()); });
  EXPECT_LT(2 * factors.operations(), whole.operations());
  const Pose<double> a = pose_at(factors, {0.3, 0.4}), b = pose_at(whole, {0.3, 0.4});
  EXPECT_LT(norm(a.p - b.p), 1e-15);
}

TEST(InventedJoints, TouchingSurfacesShareThePointAndOpposeTheirNormals) {
  const Surface a = torus_surface(0.8, 0.2), b = ellipsoid_surface(0.7, 0.5, 0.4);
  const Joint joint = surface_on_surface(a, b, frozen_spin(0.3)), on_a = on_surface(a), on_b = on_surface(b);
  const Pose<double> G = pose_at(joint, {0.3, 2.5, -0.4, 0.6}), F_a = pose_at(on_a, {0.3, 2.5}),
                     F_b = G * pose_at(on_b, {-0.4, 0.6});
  EXPECT_LT(norm(F_a.p - F_b.p), 1e-15);
  EXPECT_LT(norm(column(F_a, 2) + column(F_b, 2)), 1e-15);
  EXPECT_NEAR(dot(column(F_a, 0), column(F_b, 0)), std::cos(0.3), 1e-15);
}

TEST(InventedJoints, ClosedSplineComesAroundAgain) {
  const Joint joint = spline_curve(control_frames(), true);
  for (const double q : {0.2, 3.7, 6.9}) {
    const Pose<double> p = pose_at(joint, {q});
    for (const double turns : {-2.0, 1.0}) {
      const Pose<double> again = pose_at(joint, {q + 7.0 * turns});
      EXPECT_LT(norm(p.p - again.p), 1e-13);
      for (int j = 0; j < 3; ++j) EXPECT_LT(norm(column(p, j) - column(again, j)), 1e-13);
    }
  }
  // no jump where the segments meet, nor where the ring closes
  for (const double knot : {0.0, 3.0, 7.0})
    EXPECT_LT(norm(pose_at(joint, {knot - 1e-9}).p - pose_at(joint, {knot + 1e-9}).p), 1e-8);
}

TEST(InventedJoints, BezierCurvesOfHighDegreeKeepTwelveDigits) {
  std::vector<Vec3<double>> points;
  for (int i = 0; i < 24; ++i) points.push_back({0.1 * i, std::sin(1.3 * i), std::cos(2.1 * i)});
  const Joint joint = on_curve(bezier_curve(points));
  for (const double s : {0.0, 0.1, 0.35, 0.8, 1.0}) {
    std::vector<Vec3<double>> p = points;  // de Casteljau
    while (p.size() > 1) {
      for (std::size_t i = 0; i + 1 < p.size(); ++i) p[i] = (1.0 - s) * p[i] + s * p[i + 1];
      p.pop_back();
    }
    EXPECT_LT(norm(pose_at(joint, {s}).p - p[0]), 1e-12) << s;
  }
}

TEST(InventedJoints, RefuseTooFewControls) {
  EXPECT_THROW(bezier_curve({{0.0, 0.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(bezier_surface({{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}}), std::invalid_argument);
  EXPECT_THROW(bezier_surface({{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}}), std::invalid_argument);
  EXPECT_THROW(spline_curve(std::vector<Pose<double>>(3)), std::invalid_argument);
  EXPECT_THROW(spline_curve(std::vector<Pose<double>>(2), true), std::invalid_argument);
}

TEST(InventedJoints, HelpersMayUseOneAnotherInAnyOrder) {
  const std::vector<std::pair<std::string, double>> sizes{{"R", 1.0}, {"r", 0.3}};
  const ExpressionJoint plain({"u"}, "trans((R + r*cos(u))*cos(u), r*sin(u), 0) * rotz(u)", sizes);
  const ExpressionJoint helped({"u"}, "trans(x, y, 0) * rotz(u)", sizes,
                               {{"x", "c*cos(u)"}, {"y", "r*sin(u)"}, {"c", "R + r*cos(u)"}});
  EXPECT_EQ(plain.operations(), helped.operations());
  EXPECT_LT(norm(pose_at(plain, {0.7}).p - pose_at(helped, {0.7}).p), 1e-16);
  try {
    ExpressionJoint({"u"}, "rotz(a)", {}, {{"a", "b + u"}, {"b", "2*c"}, {"c", "a"}});
    FAIL();
  } catch (const DefinitionError& error) {
    EXPECT_NE(std::string(error.what()).find("a uses b uses c uses a"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cardan::test

// Paths with moving points and over surfaces: lengths in closed form, K and D against differences.
#include "cardan/forces/spring.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

/// A path with everything: a point that moves with a coordinate, one that is there only sometimes, and two surfaces.
/// Compares K and D of a line with differences of its forces.
void compare_tangents(const ElasticLine& line, const Instant& at, Worst& K, Worst& D) {
  Tangent exact, differences;
  exact.resize(line.touches());
  differences.resize(line.touches());
  line.add_tangent(at, exact);
  line.Force::add_tangent(at, differences);
  K.add(relative_error(exact.K, differences.K, 1.0));
  D.add(relative_error(exact.D, differences.D, 1.0));
}

TEST(WrappedPath, MovingPointsAndWrapsHaveExactStiffnessAndDamping) {
  Worst K("K of wrapped and moving paths against differences", 2e-7), D("their D", 1e-7),
      rate("speed against the difference of lengths", 1e-7);
  Random random(21);
  for (int trial = 0; trial < 20; ++trial) {
    ModelBuilder builder;
    for (const char* name : {"a", "b", "c"}) builder.body(name, random.mass());
    builder.joint("world", "a", Revolute{{0.0, 0.0, 1.0}});
    builder.joint("a", "b", Revolute{{0.0, 1.0, 0.0}}, random.pose());
    builder.joint("b", "c", Free{}, random.pose());
    const Model model = builder.build();
    std::vector<PathPoint> points(4);
    points[0] = {1, {-1.5, 0.2, 0.1}};
    points[1].body = 2;
    points[1].moving =
        PathPoint::Moving{{model.link(1).q, model.link(1).v},
                          TimeFunction(std::vector<std::string>{"1.5 + 0.3*sin(t)", "0.4*t", "cos(2*t)"}, 2)};
    points[2] = {3, random.vector()};
    points[2].when = PathPoint::When{{model.link(2).q, model.link(2).v}, -10.0, 10.0};
    points[3] = {0, random.vector(2.0)};
    PathWrap sphere, cylinder;
    sphere.body = 2;
    sphere.surface = wrap_sphere(0.5, random.direction());
    sphere.X = from_pose(random.rotation(), random.vector(0.3));
    cylinder.body = 1;
    cylinder.after = 2;
    cylinder.surface = wrap_cylinder(0.3, random.direction());
    cylinder.X = from_pose(random.rotation(), random.vector(0.3));
    const ElasticLine line(ElasticLine::Kind::spring, "s", Path(points, {sphere, cylinder}), {2.0, 0.6, 0.4, 0.0});
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    compare_tangents(line, at, K, D);
    const double speed = line.speed(at), h = 1e-6;
    const Eigen::VectorXd up = integrate(model, q, v, h), down = integrate(model, q, v, -h);
    StateKinematics other(model);
    const double l1 = line.length(other.at(0.0, up, v)), l0 = line.length(other.at(0.0, down, v));
    rate.add(relative_error(speed, (l1 - l0) / (2.0 * h), 1.0));
  }
}

/// A belt over two rollers side by side, in closed form.
TEST(WrappedPath, GoesOverTwoSurfacesBetweenTwoPoints) {
  const Model model =
      ModelBuilder().body("a", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}}).joint("world", "a", Free{}).build();
  std::vector<PathWrap> rollers(2);
  for (std::size_t i = 0; i < 2; ++i) {
    rollers[i].surface = wrap_cylinder(0.2, {0.0, 1.0, 0.0});
    rollers[i].X.r = {i == 0 ? -0.3 : 0.3, 0.0, 0.0};
  }
  const ElasticLine line(ElasticLine::Kind::spring, "belt",
                         Path(std::vector<PathPoint>{{0, {-1.0, 0.0, 0.0}}, {1, {}}}, rollers), {1.0, 0.0, 0.0, 0.0});
  std::vector<double> q{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, v(6);
  StateKinematics kinematics(model);
  const double expected = 2.0 * std::sqrt(0.45) + 0.4 * (0.5 * std::numbers::pi - std::acos(2.0 / 7.0)) + 0.6;
  EXPECT_NEAR(line.length(kinematics.at(0.0, q, v)), expected, 1e-13);
  q[5] = 3.0;  // lifted off both
  EXPECT_NEAR(line.length(kinematics.at(0.0, q, v)), std::sqrt(13.0), 1e-13);
}

TEST(WrappedPath, OverTwoSurfacesHasExactStiffnessAndDamping) {
  Worst K("K over two surfaces against differences", 2e-7), D("D over two surfaces", 1e-7),
      rate("speed over two surfaces", 1e-7);
  Random random(31);
  for (int trial = 0; trial < 20; ++trial) {
    ModelBuilder builder;
    for (const char* name : {"a", "b"}) builder.body(name, random.mass()).joint("world", name, Free{});
    const Model model = builder.build();
    std::vector<PathWrap> wraps(2);
    wraps[0].body = 1;
    wraps[0].surface = wrap_sphere(0.3, {0.0, 1.0, 0.0});
    wraps[1].body = 2;
    wraps[1].surface =
        trial % 2 == 0 ? wrap_cylinder(0.3, {0.0, 1.0, 0.0}) : wrap_ellipsoid({0.4, 0.3, 0.35}, {0.0, 1.0, 0.0});
    const ElasticLine line(ElasticLine::Kind::spring, "s",
                           Path(std::vector<PathPoint>{{0, {-2.0, 0.1, 0.05}}, {0, {2.0, 0.0, -0.1}}}, wraps),
                           {2.0, 0.6, 0.4, 0.0});
    std::vector<double> q, v;
    for (const double x : {-0.7, 0.7}) {
      const Vec3<double> at = random.vector(0.1);
      q.insert(q.end(), {1.0, 0.0, 0.0, 0.0, x + at[0], at[1], at[2]});
    }
    for (int i = 0; i < 12; ++i) v.push_back(random.uniform());
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    PathShape shape;
    line.path().evaluate(at, WrapSurface::Want::slopes, shape);
    EXPECT_TRUE(shape.segments[0].wrap && shape.segments[1].wrap);
    compare_tangents(line, at, K, D);
    const double h = 1e-6, speed = line.speed(at);
    const Eigen::Map<const Eigen::VectorXd> q0(q.data(), 14), v0(v.data(), 12);
    const Eigen::VectorXd up = integrate(model, q0, v0, h), down = integrate(model, q0, v0, -h);
    StateKinematics other(model);
    const double l1 = line.length(other.at(0.0, up, v)), l0 = line.length(other.at(0.0, down, v));
    rate.add(relative_error(speed, (l1 - l0) / (2.0 * h), 1.0));
  }
}

TEST(WrappedPath, AWrapWithARangeIsWhereThePathGrowsLeast) {
  const Model model = ModelBuilder()
                          .body("a", {1.0, {}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}})
                          .joint("world", "a", Prismatic{{1.0, 0.0, 0.0}})
                          .build();
  StateKinematics kinematics(model);
  const std::vector<PathPoint> points{{0, {-2.0, 0.0, 0.0}}, {0, {0.0, 0.0, 0.0}}, {1, {2.0, 0.0, 0.0}}};
  const auto ball = [&](double x, int after, int until) {
    PathWrap wrap;
    wrap.X = from_pose(Mat3<double>::identity(), Vec3<double>{x, -0.1, 0.0});
    wrap.after = after;
    wrap.until = until;
    wrap.surface = wrap_sphere(0.3, {0.0, 1.0, 0.0});
    return wrap;
  };
  const std::vector<double> q{0.0}, v{0.7}, none;
  const Instant at = kinematics.at(0.0, q, v, none);
  const auto shape = [&](std::vector<PathWrap> wraps) {
    PathShape out;
    Path(points, std::move(wraps)).evaluate(at, WrapSurface::Want::slopes, out);
    return out;
  };
  for (const double x : {-1.0, 1.0}) {
    const PathShape fixed = shape({ball(x, x < 0.0 ? 0 : 1, -1)}), free = shape({ball(x, 0, 1)});
    EXPECT_GT(fixed.length, 4.0);
    EXPECT_EQ(free.length, fixed.length);
    EXPECT_EQ(free.speed, fixed.speed);
  }
  // two in one place follow one another as the line passes them, whatever their order
  const PathShape sorted = shape({ball(0.7, 1, 1), ball(1.4, 1, 1)}),
                  turned = shape({ball(1.4, 1, 1), ball(0.7, 1, 1)});
  EXPECT_NEAR(sorted.length, turned.length, 1e-12);
  EXPECT_NEAR(sorted.length, shape({ball(0.7, 1, -1), ball(1.4, 1, -1)}).length, 1e-12);
  // what is drawn has the same number of points wherever the wrap is
  const Path path(points, {ball(1.0, 0, 1)});
  std::vector<Vec3<double>> drawn;
  path.trace(at, drawn);
  EXPECT_EQ(drawn.size(), path.traced_points());
  EXPECT_THROW(Path(points, {ball(0.0, 1, 2)}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test

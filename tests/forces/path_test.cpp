// Forces along paths: K and D in closed form against dual numbers of the same force written once more as a template,
// on random trees; the statements that hold for every such element.
#include "cardan/forces/body_damping.hpp"
#include "cardan/forces/bushing.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/forces/spring.hpp"
#include "cardan/formulate/force_tangent.hpp"
#include "cardan/integrate/internal/tangent_differences.hpp"
#include "cardan/integrate/model_space.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace cardan::test {
namespace {

/// T = k (l - rest) + m (l - rest)^2 + c dl/dt along straight lines, for dual numbers.
struct TemplatePath {
  std::vector<BodyPoint> points;
  double k, m, c, rest;

  std::string name() const { return "path"; }
  Touches touches() const {
    std::vector<PathPoint> all;
    for (const BodyPoint& p : points) all.push_back({p.body, p.at});
    return Path(all).touches();
  }
  template <class T>
  void add(const InstantOf<T>& at, PushesOf<T>& pushes) const {
    T l(0.0), ldot(0.0);
    std::vector<Vec3<T>> g(points.size());
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const BodyPoint &a = points[i], &b = points[i + 1];
      const Vec3<T> d = at.position(b.body, Vec3<T>(b.at)) - at.position(a.body, Vec3<T>(a.at));
      const Vec3<T> u = at.point_velocity(b.body, Vec3<T>(b.at)) - at.point_velocity(a.body, Vec3<T>(a.at));
      const T s = norm(d);
      const Vec3<T> n = (T(1.0) / s) * d;
      l += s;
      ldot += dot(n, u);
      g[i] -= n;
      g[i + 1] += n;
    }
    const T x = l - T(rest), tension = T(k) * x + T(m) * x * x + T(c) * ldot;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const int body = points[i].body;
      if (body == 0) continue;
      const Vec3<T> f = rotate(at.X_0(body).E, (-tension) * g[i]);
      pushes.body(body) += ForceVector<T>{cross(Vec3<T>(points[i].at), f), f};
    }
  }
};

std::shared_ptr<const Force> text_path(const TemplatePath& p) {
  std::vector<PathPoint> points;
  for (const BodyPoint& point : p.points) points.push_back({point.body, point.at});
  return std::make_shared<const TensionText>("p", Path(points), p.rest, p.c == 0.0,
                                             [&p](Expr l, Expr ldot, Expr, Expr rest) {
                                               const Expr x = l - rest;
                                               return Expr(p.k) * x + Expr(p.m) * x * x + Expr(p.c) * ldot;
                                             });
}

TemplatePath random_path(Random& random, const Model& model, int points, double damping) {
  TemplatePath out{{}, random.uniform(1.0, 5.0), random.uniform(0.1, 1.0), damping, random.uniform(0.1, 0.8)};
  while (static_cast<int>(out.points.size()) < points) {
    const int body = random.below(model.bodies() + 1);
    if (!out.points.empty() && out.points.back().body == body) continue;
    out.points.push_back({body, random.vector()});
  }
  return out;
}

/// Statement 23, between bodies: closed form against dual numbers on random trees.
TEST(Path, StiffnessAndDampingAreThoseOfDualNumbers) {
  Worst K("K of paths against dual numbers", 1e-12), D("D of paths", 1e-12);
  const int cases = repetitions(20, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 100);
    const int points = 2 + random.below(4);
    const TemplatePath path = random_path(random, c.model, points, 0.7);
    const auto closed = text_path(path);
    const auto dual = make_force(path);
    StateKinematics kinematics(c.model);
    const Instant at = kinematics.at(0.0, c.q, c.v);
    Tangent a, b;
    a.resize(closed->touches());
    b.resize(dual->touches());
    closed->add_tangent(at, a);
    dual->add_tangent(at, b);
    K.add(relative_error(a.K, b.K), c.name);
    D.add(relative_error(a.D, b.D), c.name);
  }
}

/// Statements 22 and 23 in joint coordinates: against differences of the generalized forces, and symmetric where the
/// force has an energy.
TEST(Path, StiffnessInJointCoordinatesIsExactAndSymmetric) {
  Worst exact("K in joint coordinates against differences", 2e-6), symmetric("symmetry of J'KJ + Gamma", 1e-12);
  const int cases = repetitions(10, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 300);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.0))};
    const int n = c.model.nv();
    const std::vector<int> first(forces.size() + 1);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), K0 = K;
    StateKinematics kinematics(c.model);
    ForceTangent(c.model, forces).add(kinematics.at(0.0, c.q, c.v), first, &K, nullptr);
    SystemWorkspace with{System(c.model, forces)}, without{System(c.model)};
    Eigen::VectorXd own(n);
    add_tangent_differences(
        ModelSpace(c.model),
        [&](In<double> q, In<double> v, Out<double> tau) {
          with.generalized_forces(0.0, q, v, tau);
          without.generalized_forces(0.0, q, v, own);
          for (int i = 0; i < n; ++i) tau[i] -= own[i];
        },
        c.q, c.v, n, &K0, nullptr);
    exact.add(relative_error(K, K0, 1.0), c.name);
    // in the tangent space of ball and free joints the second derivative is symmetric up to half the joint's bracket
    bool flat = true;
    for (int body = 1; body <= c.model.bodies(); ++body) flat = flat && c.model.joint(body).is_flat();
    if (flat) symmetric.add(relative_error(K, Eigen::MatrixXd(K.transpose()), 1.0), c.name);
  }
  // a tree of hinges, where all coordinates are flat
  for (int seed = 0; seed < cases; ++seed) {
    Random random(static_cast<std::uint64_t>(seed) + 700);
    ModelBuilder builder;
    for (int i = 0; i < 6; ++i) {
      const std::string name = "b" + std::to_string(i);
      builder.body(name, random.mass());
      builder.joint(i == 0 ? "world" : "b" + std::to_string(random.below(i)), name, Revolute{random.direction()},
                    random.pose());
    }
    const Model model = builder.build();
    const Forces forces{text_path(random_path(random, model, 4, 0.0))};
    const Eigen::VectorXd q = random.values(6), v = random.values(6);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6);
    StateKinematics kinematics(model);
    const std::vector<int> first(2);
    ForceTangent(model, forces).add(kinematics.at(0.0, q, v), first, &K, nullptr);
    symmetric.add(relative_error(K, Eigen::MatrixXd(K.transpose()), 1.0));
  }
}

/// Statement 21: K - K' = S(f) on each body, S(m, f) = [[m] [f]; [f] 0], for every element with an energy.
TEST(Path, AsymmetryOfStiffnessIsThatOfTheWrench) {
  Worst worst("K - K' against S(f)", 1e-12);
  const int cases = repetitions(20, 200);
  for (int seed = 0; seed < cases; ++seed) {
    const RandomCase c(static_cast<std::uint64_t>(seed));
    Random random(static_cast<std::uint64_t>(seed) + 500);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.0)),
                        make_force(Bushing{"b", {1, {}}, {2, {}}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, {}})};
    StateKinematics kinematics(c.model);
    const Instant at = kinematics.at(0.0, c.q, c.v);
    for (const auto& force : forces) {
      const Touches touches = force->touches();
      Tangent tangent;
      tangent.resize(touches);
      force->add_tangent(at, tangent);
      std::vector<ForceVector<double>> f(static_cast<std::size_t>(c.model.bodies()) + 1);
      std::vector<double> direct(static_cast<std::size_t>(c.model.nv()));
      Pushes pushes(f, direct);
      force->add(at, pushes);
      Eigen::MatrixXd S = Eigen::MatrixXd::Zero(tangent.K.rows(), tangent.K.rows());
      for (std::size_t b = 0; b < touches.bodies.size(); ++b) {
        const ForceVector<double>& w = f[static_cast<std::size_t>(touches.bodies[b])];
        const Mat3<double> m = skew(w.moment), n = skew(w.force);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const auto r = static_cast<Eigen::Index>(6 * b) + i, s = static_cast<Eigen::Index>(6 * b) + j;
            S(r, s) = m(i, j);
            S(r, s + 3) = S(r + 3, s) = n(i, j);
          }
      }
      worst.add(relative_error(Eigen::MatrixXd(tangent.K - tangent.K.transpose()), S, 1.0),
                force->name() + ", " + c.name);
    }
  }
}

/// Statement 24: internal elements do not feel a rigid motion of everything, and their wrenches add up to zero.
TEST(Path, InternalForcesBalanceAndMoveAlong) {
  Worst sums("sum of wrenches", 1e-13), same("wrench, K and D after a rigid motion", 1e-12);
  Random random(8);
  const Model model = ModelBuilder()
                          .body("a", random.mass())
                          .body("b", random.mass())
                          .body("c", random.mass())
                          .joint("world", "a", Free{})
                          .joint("world", "b", Free{})
                          .joint("world", "c", Free{})
                          .build();
  const TemplatePath path{
      {{1, random.vector()}, {2, random.vector()}, {3, random.vector()}, {1, random.vector()}}, 2.0, 0.5, 0.4, 0.3};
  PathWrap wrap;
  wrap.body = 3;
  wrap.after = 0;
  wrap.surface = wrap_sphere(0.4, {0.3, 0.2, 0.1});
  const Forces forces{text_path(path),
                      std::make_shared<const ElasticLine>(ElasticLine::Kind::spring, "w",
                                                          Path({{1, {1.0, 0.0, 0.0}}, {2, {0.0, 1.0, 0.0}}}, {wrap}),
                                                          ElasticLine::Parameters{3.0, 0.5, 0.2, 0.0}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 2, 2, 3, 3}})};
  for (int trial = 0; trial < 20; ++trial) {
    Eigen::VectorXd q = random_configuration(random, model), v = random.values(18);
    StateKinematics kinematics(model), moved_kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    // the same bodies, all moved by one displacement: velocities in body axes stay
    const Pose<double> g = random.pose();
    Kinematics<double> moved = at.bodies;
    for (int body = 1; body <= 3; ++body) {
      Transform<double>& X = moved.X_0[static_cast<std::size_t>(body)];
      X = {X.E * transpose(g.R), g.p + g.R * X.r};
    }
    const Instant there{model, 0.0, at.q, at.v, at.z, moved};
    for (const auto& force : forces) {
      const auto evaluate = [&](const Instant& instant, std::vector<ForceVector<double>>& f, Tangent& tangent) {
        f.assign(4, {});
        std::vector<double> direct(18);
        Pushes pushes(f, direct);
        force->add(instant, pushes);
        tangent.resize(force->touches());
        force->add_tangent(instant, tangent);
      };
      std::vector<ForceVector<double>> f, f_moved;
      Tangent t, t_moved;
      evaluate(at, f, t);
      evaluate(there, f_moved, t_moved);
      ForceVector<double> sum;
      double size = 1e-3;
      for (int body = 1; body <= 3; ++body) {
        const ForceVector<double>& w = f[static_cast<std::size_t>(body)];
        sum += transpose_apply(at.X_0(body), w);
        for (int c = 0; c < 6; ++c) {
          size = std::max(size, std::abs(w[c]));
          same.add(std::abs(w[c] - f_moved[static_cast<std::size_t>(body)][c]) / std::max(1.0, std::abs(w[c])),
                   force->name());
        }
      }
      for (int c = 0; c < 6; ++c) sums.add(std::abs(sum[c]) / (10.0 * size), force->name());
      same.add(relative_error(t.K, t_moved.K, 1.0), force->name());
      same.add(relative_error(t.D, t_moved.D, 1.0), force->name());
    }
  }
}

/// Statement 25: dampers never do work.
TEST(Path, DampersTakeEnergy) {
  Random random(12);
  const Model model = ModelBuilder()
                          .body("a", random.mass())
                          .body("b", random.mass())
                          .joint("world", "a", Free{})
                          .joint("world", "b", Free{})
                          .build();
  const Forces forces{make_force(Spring{"d", {1, {0.3, 0.1, 0.0}}, {2, {0.0, 0.2, 0.4}}, 0.0, 2.0, 0.0}),
                      make_force(BodyDamping{"v", 1, Transform<double>::identity(), {1, 2, 3, 4, 5, 6}}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {}, {1, 2, 3, 4, 5, 6}})};
  for (int trial = 0; trial < 1000; ++trial) {
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(12);
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    for (const auto& force : forces) {
      std::vector<ForceVector<double>> f(3);
      std::vector<double> direct(12);
      Pushes pushes(f, direct);
      force->add(at, pushes);
      double power = 0.0;
      for (int body = 1; body <= 2; ++body) power += dot(at.velocity(body), f[static_cast<std::size_t>(body)]);
      EXPECT_LE(power, 1e-14) << force->name();
    }
  }
}

/// A path with everything: a point that moves with a coordinate, one that is there only sometimes, and two surfaces.
TEST(Path, MovingPointsAndWrapsHaveExactStiffnessAndDamping) {
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
    Tangent exact, differences;
    exact.resize(line.touches());
    differences.resize(line.touches());
    line.add_tangent(at, exact);
    line.Force::add_tangent(at, differences);
    K.add(relative_error(exact.K, differences.K, 1.0));
    D.add(relative_error(exact.D, differences.D, 1.0));
    const double speed = line.speed(at), h = 1e-6;
    const Eigen::VectorXd up = integrate(model, q, v, h), down = integrate(model, q, v, -h);
    StateKinematics other(model);
    const double l1 = line.length(other.at(0.0, up, v)), l0 = line.length(other.at(0.0, down, v));
    rate.add(relative_error(speed, (l1 - l0) / (2.0 * h), 1.0));
  }
}

/// A belt over two rollers side by side, in closed form.
TEST(Path, GoesOverTwoSurfacesBetweenTwoPoints) {
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

TEST(Path, OverTwoSurfacesHasExactStiffnessAndDamping) {
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
    Tangent exact, differences;
    exact.resize(line.touches());
    differences.resize(line.touches());
    line.add_tangent(at, exact);
    line.Force::add_tangent(at, differences);
    K.add(relative_error(exact.K, differences.K, 1.0));
    D.add(relative_error(exact.D, differences.D, 1.0));
    const double h = 1e-6, speed = line.speed(at);
    const Eigen::Map<const Eigen::VectorXd> q0(q.data(), 14), v0(v.data(), 12);
    const Eigen::VectorXd up = integrate(model, q0, v0, h), down = integrate(model, q0, v0, -h);
    StateKinematics other(model);
    const double l1 = line.length(other.at(0.0, up, v)), l0 = line.length(other.at(0.0, down, v));
    rate.add(relative_error(speed, (l1 - l0) / (2.0 * h), 1.0));
  }
}

TEST(Path, SpringsOfBallAndFreeJointsHaveExactStiffness) {
  Worst worst("K and D of ball and free joint springs against differences", 2e-8);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed + 40);
    ModelBuilder builder;
    builder.body("a", random.mass()).body("b", random.mass());
    for (const char* name : {"a", "b"}) {
      JointSpec joint;
      joint.name = joint.successor = name;
      joint.type = *name == 'a' ? Joint{Spherical{}} : Joint{Free{}};
      for (int i = 0; i < (*name == 'a' ? 3 : 6); ++i) {
        DofProperties dof;
        dof.stiffness = random.uniform(1.0, 3.0);
        dof.rest = random.uniform(-0.3, 0.3);
        dof.damping = random.uniform(0.0, 1.0);
        joint.dofs.push_back(dof);
      }
      builder.joint(joint);
    }
    const Model model = builder.build();
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv());
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    for (const auto& force : joint_springs(model)) {
      Tangent exact, differences;
      exact.resize(force->touches());
      differences.resize(force->touches());
      force->add_tangent(at, exact);
      force->Force::add_tangent(at, differences);
      worst.add(relative_error(exact.K, differences.K));
      worst.add(relative_error(exact.D, differences.D));
    }
  }
}

TEST(Path, DefiniteTangentIsNegativeSemidefinite) {
  Worst worst("largest eigenvalue of definite K and D", 1e-12);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 900);
    const Forces forces{text_path(random_path(random, c.model, 3, 0.5)),
                        make_force(Spring{"pushes", {1, random.vector()}, {2, random.vector()}, 2.0, 0.1, 9.0}),
                        make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 2, 2, 2}})};
    StateKinematics kinematics(c.model);
    const int n = c.model.nv();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), D = K;
    const std::vector<int> first(forces.size() + 1);
    ForceTangent(c.model, forces).add(kinematics.at(0.0, c.q, c.v), first, &K, &D, ForceTangent::Kind::definite);
    for (const Eigen::MatrixXd* M : {&K, &D}) {
      const double size = std::max(1.0, M->cwiseAbs().maxCoeff());
      worst.add((*M - M->transpose()).cwiseAbs().maxCoeff() / size, c.name);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(*M);
      worst.add(std::max(0.0, eigen.eigenvalues().maxCoeff()) / size, c.name);
    }
  }
}

/// Evaluating forces takes no memory once each path has been seen.
TEST(Path, ForcesAllocateNothing) {
  Random random(5);
  const Model model = ModelBuilder()
                          .body("a", random.mass())
                          .body("b", random.mass())
                          .joint("world", "a", Free{})
                          .joint("world", "b", Free{})
                          .build();
  std::vector<PathWrap> wraps(2);
  wraps[0].surface = wrap_sphere(0.3, {0.0, 1.0, 0.0});
  wraps[1].surface = wrap_ellipsoid({0.4, 0.3, 0.35}, {0.0, 1.0, 0.0});
  wraps[1].X.r = {1.0, 0.0, 0.0};
  const Forces forces{std::make_shared<const ElasticLine>(
                          ElasticLine::Kind::spring, "s",
                          Path(std::vector<PathPoint>{{1, {-1.0, 0.1, 0.05}}, {2, {2.0, 0.0, -0.1}}}, wraps),
                          ElasticLine::Parameters{2.0, 0.6, 0.4, 0.0}),
                      text_path({{{1, {0.0, 0.0, 1.0}}, {0, {}}, {2, {}}}, 1.0, 0.5, 0.1, 0.2}),
                      make_force(Bushing{"b", {1, {}}, {2, {}}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 1, 1, 1}}),
                      make_force(BodyDamping{"d", 1, Transform<double>::identity(), {1, 1, 1, 1, 1, 1}})};
  std::vector<double> q{1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, v(12, 0.1), direct(12);
  std::vector<ForceVector<double>> wrenches(3);
  StateKinematics kinematics(model);
  const auto evaluate = [&] {
    const Instant at = kinematics.at(0.0, q, v);
    Pushes pushes(wrenches, direct);
    for (const auto& force : forces) force->add(at, pushes);
  };
  evaluate();
  const AllocationCounter counter;
  for (int i = 0; i < 10; ++i) {
    q[5] = 0.001 * i;
    evaluate();
  }
  EXPECT_EQ(counter.count(), 0);
}

TEST(Path, CoincidentPointsHaveALimitAndNoNan) {
  const Model model = ModelBuilder()
                          .body("ball", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "ball", Translational{})
                          .build();
  StateKinematics kinematics(model);
  const std::vector<double> q(3), v{0.3, 0.0, 0.0};
  const Instant at = kinematics.at(0.0, q, v);
  for (const double rest : {0.0, 0.4}) {
    const auto force = make_force(Spring{"s", {1, {}}, {0, {}}, 2.0, 0.5, rest});
    Tangent tangent;
    tangent.resize(force->touches());
    force->add_tangent(at, tangent);
    EXPECT_TRUE(tangent.K.allFinite() && tangent.D.allFinite());
    std::vector<ForceVector<double>> f(2);
    std::vector<double> direct(3);
    Pushes pushes(f, direct);
    force->add(at, pushes);
    EXPECT_EQ(f[1].force[0], 0.0);  // no direction, no force
  }
  const auto cable = make_force(Cable{"c", {1, {}}, {0, {1.0, 0.0, 0.0}}, 5.0, 1.0, 1.5});
  std::vector<ForceVector<double>> f(2);
  std::vector<double> direct(3);
  Pushes pushes(f, direct);
  cable->add(at, pushes);
  EXPECT_EQ(f[1].force[0], 0.0);  // slack
}

}  // namespace
}  // namespace cardan::test

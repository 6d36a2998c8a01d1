// The spring between two points: energy, exact K and D between bodies and in joint coordinates, on random mechanisms.
#include "cardan/forces/spring.hpp"

#include "cardan/dynamics/force_tangent.hpp"
#include "cardan/dynamics/internal/tangent_differences.hpp"
#include "cardan/simulate/system_workspace.hpp"
#include "tests/forces/two_bodies.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Springs between random points of random bodies and the world.
Forces random_springs(Random& random, const Model& model, double damping) {
  Forces out;
  while (out.size() < 4) {
    Spring spring{
        "s", {random.below(model.bodies() + 1), random.vector()}, {random.below(model.bodies() + 1), random.vector()}};
    if (spring.a.body == spring.b.body) continue;
    spring.stiffness = random.uniform(1.0, 5.0);
    spring.damping = damping;
    spring.rest = random.uniform(0.0, 1.0);
    out.push_back(make_force(spring));
  }
  return out;
}

TEST(Spring, ForceIsTheSlopeOfItsEnergy) {
  Worst worst("power of springs against differences of energy", 1e-7);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 50);
    SystemWorkspace with{System(c.model, random_springs(random, c.model, 0.0))};
    SystemWorkspace without{System(c.model)};
    Eigen::VectorXd tau(c.model.nv()), own(c.model.nv());
    with.generalized_forces(0.0, c.q, c.v, tau);
    without.generalized_forces(0.0, c.q, c.v, own);
    const auto energy = [&](double h) {
      State state(c.model);
      const Eigen::VectorXd moved = integrate(c.model, c.q, c.v, h);
      state.q.assign(moved.data(), moved.data() + moved.size());
      return with.energy(state).potential - without.energy(state).potential;
    };
    const double h = 1e-5, slope = (energy(h) - energy(-h)) / (2.0 * h);
    worst.add(relative_error((tau - own).dot(c.v), -slope, 1.0), c.name);
  }
}

/// The derivation on top of spring.hpp by hand: with f = s d, s = k (1 - rest/l) + c (d.d_dot)/l^2, along a direction.
Vec3<double> force_change(const Spring& spring, const Vec3<double>& d, const Vec3<double>& d_dot,
                          const Vec3<double>& dd, const Vec3<double>& dd_dot) {
  const double l2 = dot(d, d), l = std::sqrt(l2), k = spring.stiffness, c = spring.damping, rest = *spring.rest;
  const double s = k * (1.0 - rest / l) + c * dot(d, d_dot) / l2;
  const double ds = k * rest * dot(d, dd) / (l * l2) +
                    c * ((dot(dd, d_dot) + dot(d, dd_dot)) / l2 - 2.0 * dot(d, d_dot) * dot(d, dd) / (l2 * l2));
  return s * dd + ds * d;
}

TEST(Spring, StiffnessAndDampingBetweenBodiesAreExact) {
  Worst worst("K and D against the closed form", 1e-12);
  Random random(3);
  const Model model = two_free_bodies(random);
  for (int trial = 0; trial < 20; ++trial) {
    const Spring spring{"s", {1, random.vector()}, {2, random.vector()}, 3.0, 0.7, 0.4};
    const auto force = make_force(spring);
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(12);
    StateKinematics kinematics(model);
    const Instant at = kinematics.at(0.0, q, v);
    Tangent tangent;
    tangent.resize(force->touches());
    force->add_tangent(at, tangent);
    const Vec3<double> d = at.position(2, spring.b.at) - at.position(1, spring.a.at),
                       d_dot = at.point_velocity(2, spring.b.at) - at.point_velocity(1, spring.a.at);
    for (int body = 1; body <= 2; ++body) {
      const Vec3<double> x = body == 1 ? spring.a.at : spring.b.at;
      const double side = body == 1 ? -1.0 : 1.0;
      const Mat3<double>& E = at.X_0(body).E;
      const MotionVector<double>& velocity = at.velocity(body);
      for (int c = 0; c < 6; ++c) {
        MotionVector<double> unit;
        unit[c] = 1.0;
        // the point moves by w x x + l in body axes; its velocity, R (v + omega x x), turns with the body
        const Vec3<double> moved = unit.linear + cross(unit.angular, x);
        const Vec3<double> turned = cross(unit.angular, velocity.linear + cross(velocity.angular, x));
        const Vec3<double> by_x =
            force_change(spring, d, d_dot, side * rotate_back(E, moved), side * rotate_back(E, turned));
        const Vec3<double> by_v = force_change(spring, d, d_dot, {}, side * rotate_back(E, moved));
        // linear part of the wrench on the other body, whose axes stand still
        const int other = 3 - body;
        const double sign = other == 1 ? 1.0 : -1.0;
        const Vec3<double> K = sign * rotate(at.X_0(other).E, by_x), D = sign * rotate(at.X_0(other).E, by_v);
        for (int r = 0; r < 3; ++r) {
          const auto row = static_cast<Eigen::Index>(6 * (other - 1) + 3 + r),
                     column = static_cast<Eigen::Index>(6 * (body - 1) + c);
          worst.add(std::abs(tangent.K(row, column) - K[r]));
          worst.add(std::abs(tangent.D(row, column) - D[r]));
        }
      }
    }
  }
}

/// A spring that a user writes without derivatives: K and D by differences.
class PlainSpring : public Force {
 public:
  explicit PlainSpring(std::shared_ptr<const Force> spring) : spring_(std::move(spring)) {}
  std::string name() const override { return spring_->name(); }
  Touches touches() const override { return spring_->touches(); }
  void add(const Instant& at, Pushes& pushes) const override { spring_->add(at, pushes); }

 private:
  std::shared_ptr<const Force> spring_;
};

TEST(Spring, TangentInJointCoordinatesIsThatOfTheForces) {
  Worst exact("K and D of springs in joint coordinates, against differences", 1e-7),
      plain("of a force without templates", 1e-7);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 70);
    const Forces forces = random_springs(random, c.model, 0.3);
    Forces by_differences;
    for (const auto& force : forces) by_differences.push_back(std::make_shared<const PlainSpring>(force));
    const int n = c.model.nv();
    const std::vector<int> first(forces.size() + 1);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), D = K, K1 = K, D1 = K, K0 = K, D0 = K;
    StateKinematics kinematics(c.model);
    ForceTangent(c.model, forces).add(kinematics.at(0.0, c.q, c.v), first, &K, &D);
    ForceTangent(c.model, by_differences).add(kinematics.at(0.0, c.q, c.v), first, &K1, &D1);
    SystemWorkspace with{System(c.model, forces)}, without{System(c.model)};
    Eigen::VectorXd own(n);
    add_tangent_differences(
        ModelSpace(c.model),
        [&](In<double> q, In<double> v, Out<double> tau) {
          with.generalized_forces(0.0, q, v, tau);
          without.generalized_forces(0.0, q, v, own);
          for (int i = 0; i < n; ++i) tau[i] -= own[i];
        },
        c.q, c.v, n, &K0, &D0);
    exact.add(relative_error(K, K0), c.name + ", K");
    exact.add(relative_error(D, D0), c.name + ", D");
    plain.add(relative_error(K1, K), c.name + ", K");
    plain.add(relative_error(D1, D), c.name + ", D");
  }
}

TEST(Spring, OfZeroRestLengthIsRegularWhereItsPointsMeet) {
  const Model model = ModelBuilder()
                          .body("ball", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "ball", Translational{})
                          .build();
  const auto force = make_force(Spring{"s", {1, {}}, {0, {}}, 2.0, 0.5, 0.0});
  StateKinematics kinematics(model);
  const std::vector<double> q(3), v{0.3, 0.0, 0.0};
  Tangent tangent;
  tangent.resize(force->touches());
  force->add_tangent(kinematics.at(0.0, q, v), tangent);
  EXPECT_TRUE(tangent.K.allFinite() && tangent.D.allFinite());
  EXPECT_NEAR(tangent.K(3, 3), -2.0, 1e-14);
}

TEST(Spring, RestLengthIsThatOfTheStart) {
  Scene scene = scene_of(ModelBuilder()
                             .body("ball", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                             .joint("world", "ball", Translational{})
                             .build());
  scene.initial.q = {0.3, 0.4, 0.0};
  scene.forces = {make_force(Spring{"s", {1, {}}, {0, {}}, 2.0})};
  const System system(scene);
  EXPECT_DOUBLE_EQ(*dynamic_cast<const ElasticLine&>(*system.forces().front()).parameters().rest, 0.5);
}

}  // namespace
}  // namespace cardan::test

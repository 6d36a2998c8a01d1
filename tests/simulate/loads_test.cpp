// Forces on bodies: their power, and the articulated-body algorithm with external forces, on random mechanisms.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

std::string number(double x) { return std::to_string(x); }

/// A few forces on random frames of moving bodies, half of them along the bodies' axes; each swells with time.
std::vector<AppliedWrench> random_forces(Random& random, const Model& model) {
  std::vector<AppliedWrench> out;
  while (out.size() < 4) {
    const int frame = random.below(model.frames());
    if (model.frame(frame).body == 0) continue;
    const Vec3<double> at = random.vector(), moment = random.vector(), force = random.vector();
    std::vector<std::string> texts;
    for (int i = 0; i < 3; ++i) texts.push_back(number(moment[i]) + "*cos(t)");
    for (int i = 0; i < 3; ++i) texts.push_back(number(force[i]) + "*(1 + t)");
    out.push_back({frame, at, out.size() % 2 == 0, TimeFunction(texts)});
  }
  return out;
}

struct WorldForce {
  Vec3<double> point, moment, force;
};

WorldForce in_world(const Model& model, const Kinematics<double>& k, AppliedWrench f, double t) {
  const Pose<double> pose = frame_pose(model, k, f.frame);
  const auto w = f.wrench(t);
  const Vec3<double> moment{w[0], w[1], w[2]}, force{w[3], w[4], w[5]};
  return {pose.p + pose.R * f.at, f.in_body_axes ? pose.R * moment : moment, f.in_body_axes ? pose.R * force : force};
}

TEST(Loads, PowerIsForceTimesVelocityOfThePoint) {
  Worst worst("power of forces on bodies, against differences", 1e-8);
  const double t = 0.4, h = 1e-5;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 100);
    const auto forces = random_forces(random, c.model);
    SystemWorkspace system{System(c.model, forces_of(c.model, forces), {}, generic_code())};
    Eigen::VectorXd tau(c.model.nv());
    system.generalized_forces(t, c.q, c.v, tau);

    Workspace<double> w(c.model);
    Kinematics<double> now(c.model), before(c.model), after(c.model);
    forward_kinematics<double>(c.model, w, c.q, c.v, now);
    forward_kinematics<double>(c.model, w, integrate(c.model, c.q, c.v, -h), before);
    forward_kinematics<double>(c.model, w, integrate(c.model, c.q, c.v, h), after);
    double power = 0.0;
    for (const AppliedWrench& f : forces) {
      const WorldForce world = in_world(c.model, now, f, t);
      const Vec3<double> moved = in_world(c.model, after, f, t).point - in_world(c.model, before, f, t).point;
      const Vec3<double> turning =
          rotate_back(frame_transform(c.model, now, f.frame).E, frame_velocity(c.model, now, f.frame).angular);
      power += dot(world.force, moved) / (2.0 * h) + dot(world.moment, turning);
    }
    worst.add(relative_error(tau.dot(c.v), power, 1.0), c.name);
  }
}

TEST(Loads, AgreeWithExternalForcesOfTheRecursions) {
  Worst worst("acceleration, compiled with J'f against f_ext", 1e-9);
  const double t = 0.4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 200);
    const auto forces = random_forces(random, c.model);
    Workspace<double> w(c.model);
    Kinematics<double> k(c.model);
    forward_kinematics<double>(c.model, w, c.q, k);
    std::vector<ForceVector<double>> f_ext(static_cast<std::size_t>(c.model.bodies()) + 1);
    for (const AppliedWrench& f : forces) {
      const WorldForce world = in_world(c.model, k, f, t);
      f_ext[static_cast<std::size_t>(c.model.frame(f.frame).body)] +=
          {world.moment + cross(world.point, world.force), world.force};
    }
    Eigen::VectorXd expected(c.model.nv()), a(c.model.nv());
    forward_dynamics<double>(c.model, w, c.q, c.v, Eigen::VectorXd::Zero(c.model.nv()).eval(), expected, f_ext);
    for (const Settings& settings : {generic_code(), Settings{}}) {
      SystemWorkspace system{System(c.model, forces_of(c.model, forces), {}, settings)};
      system.acceleration(t, c.q, c.v, a);
      worst.add(relative_error(a, expected), c.name);
    }
  }
}

TEST(Loads, ThatDoNotFitAreRefused) {
  const Model model = ModelBuilder()
                          .body("arm", {1.0, {0.0, 0.0, 0.5}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .body("ball", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
                          .joint("world", "arm", Revolute{{0.0, 1.0, 0.0}})
                          .joint("arm", "ball", Spherical{})
                          .build();
  const auto complaint = [&](const std::vector<AppliedWrench>& wrenches,
                             const std::vector<PrescribedMotion>& motions) -> std::string {
    try {
      System(model, forces_of(model, wrenches), constraints_of(model, motions));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const TimeFunction six({"0", "0", "0", "0", "0", "t"}), one({"t"}), moving({"t"}, 2), three({"t", "t", "t"}, 2);
  const auto position = PrescribedMotion::Kind::position, acceleration = PrescribedMotion::Kind::acceleration;
  const int arm = model.find_joint("arm"), ball = model.find_joint("ball");
  EXPECT_EQ(complaint({{model.find_frame("arm"), {}, false, six}}, {{arm, position, moving}}), "");
  EXPECT_EQ(complaint({}, {{arm, acceleration, one}}), "");
  EXPECT_NE(complaint({{99, {}, false, six}}, {}).find("frame"), std::string::npos);
  EXPECT_NE(complaint({{model.find_frame("arm"), {}, false, one}}, {}).find("6 entries"), std::string::npos);
  EXPECT_NE(complaint({}, {{9, position, moving}}).find("does not have"), std::string::npos);
  EXPECT_NE(complaint({}, {{ball, position, three}}).find("joint \"ball\""), std::string::npos);
  EXPECT_NE(complaint({}, {{arm, position, three}}).find("each coordinate"), std::string::npos);
  EXPECT_NE(complaint({}, {{arm, position, one}}).find("two derivatives"), std::string::npos);
  EXPECT_NE(complaint({}, {{arm, position, moving}, {arm, acceleration, one}}).find("two motions"), std::string::npos);
}

}  // namespace
}  // namespace cardan::test

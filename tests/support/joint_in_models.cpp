// The part of the joint tester that puts a joint into models.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/joint_tester.hpp"
#include "tests/support/near.hpp"
#include "tests/support/newton_euler.hpp"
#include "tests/support/random_models.hpp"

#include <cmath>

namespace cardan::test {

namespace {

enum class Where { root, inside, tip };

Model model_with(const Joint& joint, const Pose<double>& at, Where where, Random& random) {
  ModelBuilder builder;
  builder.gravity(random.vector(9.0));
  int bodies = 0;
  std::string last = "world";
  const auto add = [&](const Joint& type, const std::string& body = {}, const Pose<double>* place = nullptr) {
    const std::string name = body.empty() ? "body " + std::to_string(++bodies) : body;
    builder.body(name, random.mass()).joint(last, name, type, place != nullptr ? *place : random.pose());
    last = name;
  };
  if (where != Where::root) {
    add(Free{});
    add(Revolute(random.direction()), "before");
  }
  add(joint, "after", &at);
  if (where != Where::tip) {
    add(Universal{});
    add(Revolute(random.direction()));
  }
  return builder.keep_fixed_joints().build();
}

}  // namespace

void check_joint_in_models(const Joint& joint, unsigned seed) {
  Random random(seed);
  for (const Where where : {Where::root, Where::inside, Where::tip}) {
    const Pose<double> at = random.pose();
    const Model model = model_with(joint, at, where, random);
    const Eigen::VectorXd q = random_configuration(random, model), v = random.values(model.nv()),
                          a = random.values(model.nv());
    Workspace<double> w(model);
    w.fill(std::nan(""));
    Eigen::VectorXd tau(model.nv()), bias_force(model.nv()), qdd(model.nv()), again(model.nv());
    inverse_dynamics<double>(model, w, q, v, a, tau);
    const std::string place = std::string(joint.type_name()) + (joint.reversed ? " (reversed)" : "") + " at place " +
                              std::to_string(static_cast<int>(where));
    // what the user's frames see: where the joint takes its successor
    Kinematics<double> k(model);
    forward_kinematics<double>(model, w, q, k);
    const Link& link = model.link(model.find_joint("after"));
    const std::vector<double> own_q(q.data() + link.q, q.data() + link.q + link.nq);
    const Pose<double> base = where == Where::root ? Pose<double>{} : frame_pose(model, k, model.find_frame("before")),
                       expected = base * at * evaluate(joint, own_q, std::vector<double>(6)).pose,
                       found = frame_pose(model, k, model.find_frame("after"));
    EXPECT_TRUE(near(dense(found.R), dense(expected.R), 1e-14)) << place;
    EXPECT_TRUE(near(dense(found.p), dense(expected.p), 1e-14, 1.0)) << place;

    EXPECT_TRUE(near(tau, newton_euler_by_differences(model, q, v, a), 1e-8)) << place;
    bias<double>(model, w, q, v, bias_force);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
    EXPECT_TRUE(near(bias_force, newton_euler_by_differences(model, q, v, zero), 1e-8)) << place;
    forward_dynamics<double>(model, w, q, v, tau, qdd);
    EXPECT_TRUE(near(qdd, a, 1e-7)) << place;  // near a singular pose H amplifies rounding, but not into the forces
    inverse_dynamics<double>(model, w, q, v, qdd, again);
    EXPECT_TRUE(near(again, tau, 1e-11)) << place;
  }
}

}  // namespace cardan::test

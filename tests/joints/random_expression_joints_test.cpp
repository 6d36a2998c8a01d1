// Joints invented at random, against differences of their pose and against the recursions of Si and Guenter, which are
// written in tests/support without any part of the library.
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "tests/support/general_joint_recursions.hpp"
#include "tests/support/joint_tester.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <fmt/format.h>

namespace cardan::test {
namespace {

constexpr int kJoints = trials(100);

RealVector real(const Eigen::VectorXd& x) { return x.cast<Real>(); }
RealPose real(const Pose<double>& at) {
  RealPose out = RealPose::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out(i, j) = at.R(i, j);
    out(i, 3) = at.p[i];
  }
  return out;
}
double smallest_singular_value(const RealMatrix& S) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(S.cast<double>()).singularValues().minCoeff();
}

/// A joint at a state where it is regular: dynamics is no question elsewhere.
struct InventedJoint {
  InventedJoint(Random& random, int coordinates) {
    do {
      transform = random_transform(random, coordinates);
      q = random.values(coordinates);
      S = subspace_by_differences(transform, real(q));
    } while (smallest_singular_value(S) < 0.05);
    v = random.values(coordinates);
  }
  Joint joint() const { return ExpressionJoint(transform.coordinates, transform.text, transform.parameters); }

  RandomTransform transform;
  Eigen::VectorXd q, v;
  RealMatrix S;
};

TEST(RandomExpressionJoints, SubspaceAndVelocityProductAreDifferencesOfThePose) {
  Worst pose("pose", 1e-14), subspace("S", 1e-13), product("c_J", 1e-12);
  for (int i = 0; i < kJoints; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 500);
    const InventedJoint invented(random, 1 + i % 6);
    const RealVector q = real(invented.q), v = real(invented.v);
    const std::vector<double> at(invented.q.begin(), invented.q.end()), rate(invented.v.begin(), invented.v.end());
    const DoubleJoint found = evaluate(invented.joint(), at, rate);
    const RealPose G = invented.transform.pose(q);
    pose.add(relative_error(real(found.pose).cast<double>(), G.cast<double>()), invented.transform.text);
    subspace.add(relative_error(found.S, invented.S.cast<double>()), invented.transform.text);
    product.add(
        relative_error(found.c_J, velocity_product_by_differences(invented.transform, q, v).cast<double>(), 1.0),
        invented.transform.text);
  }
}

/// Two to four invented joints in a chain or a tree, the first at the root.
TEST(RandomExpressionJoints, DynamicsIsThatOfTheSixRecursions) {
  Worst mass("M", 1e-13), held("bias", 1e-12), inverse("inverse dynamics", 1e-12), forward("forward dynamics", 1e-10);
  int joints = 0;
  for (std::uint64_t seed = 1; joints < kJoints; ++seed) {
    Random random(seed);
    const int bodies = 2 + random.below(3);
    ModelBuilder builder;
    const Vec3<double> gravity = random.vector(9.0);
    builder.gravity(gravity);
    std::vector<GeneralBody> tree;
    std::vector<Eigen::VectorXd> own_q, own_v;
    std::string texts;
    int coordinates = 0;
    for (int i = 0; i < bodies; ++i, ++joints) {
      const InventedJoint invented(random, 1 + random.below(6));
      const Pose<double> at = random.pose();
      const MassProperties body_mass = random.mass();
      const int parent = i == 0 ? -1 : random.chance(0.6) ? i - 1 : random.below(i + 1) - 1;
      builder.body(std::to_string(i), body_mass);
      builder.joint(parent < 0 ? "world" : std::to_string(parent), std::to_string(i), invented.joint(), at);
      const RealVector q = real(invented.q), v = real(invented.v);
      GeneralBody body;
      body.parent = parent;
      body.G = real(at) * invented.transform.pose(q);
      body.S = invented.S;
      body.S_dot_v = velocity_product_by_differences(invented.transform, q, v);
      body.J = generalized_inertia(body_mass);
      body.first = coordinates;
      tree.push_back(body);
      own_q.push_back(invented.q);
      own_v.push_back(invented.v);
      texts += invented.transform.text + "\n";
      coordinates += static_cast<int>(invented.q.size());
    }
    const Model model = builder.build();
    ASSERT_EQ(model.nv(), coordinates);
    // the model numbers its bodies in its own way: row i of ours is row place[i] of the model's
    Eigen::VectorXd q(coordinates), v(coordinates);
    std::vector<int> place;
    for (int i = 0; i < bodies; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Link& link = model.link(model.find_joint(std::to_string(i)));
      q.segment(link.q, link.nq) = own_q[k];
      v.segment(link.v, link.nv) = own_v[k];
      for (int c = 0; c < link.nv; ++c) place.push_back(link.v + c);
    }
    const Eigen::VectorXd tau = random.values(coordinates, 3.0), a = random.values(coordinates);
    const GeneralDynamics expected = general_dynamics(tree, real(v(place)), real(tau(place)),
                                                      {Real(gravity[0]), Real(gravity[1]), Real(gravity[2])});
    Workspace<double> w(model);
    Eigen::MatrixXd H(coordinates, coordinates);
    Eigen::VectorXd C(coordinates), id(coordinates), qdd(coordinates);
    mass_matrix(model, w, q, H);
    bias(model, w, q, v, C);
    inverse_dynamics(model, w, q, v, a, id);
    forward_dynamics(model, w, q, v, tau, qdd);
    const RealVector expected_id = expected.bias + expected.M * real(a(place));
    mass.add(relative_error(Eigen::MatrixXd(H(place, place)), expected.M.cast<double>()), texts);
    held.add(relative_error(Eigen::VectorXd(C(place)), expected.bias.cast<double>()), texts);
    inverse.add(relative_error(Eigen::VectorXd(id(place)), expected_id.cast<double>()), texts);
    forward.add(relative_error(Eigen::VectorXd(qdd(place)), expected.q_ddot.cast<double>()), texts);
    // the recursions agree with themselves: M q_ddot + bias = tau
    const RealVector back = expected.M * expected.q_ddot + expected.bias;
    EXPECT_TRUE(near(back.cast<double>(), Eigen::VectorXd(tau(place)), 1e-11, C.cwiseAbs().maxCoeff()));
  }
}

}  // namespace
}  // namespace cardan::test

// Inverse inertias at one or several frames: against dense matrices, against the motion that forces there really cause,
// and against the assembly of the same mechanism, body by body and in random order.
#include "cardan/algorithms/operational_space.hpp"
#include "cardan/algorithms/handles.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/dense_aba.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Projection {
  MatrixXd Phi;
  VectorXd b;
};
Projection project(const RandomCase& c, const std::vector<int>& frames,
                   const std::vector<ForceVector<double>>& f_ext = {}) {
  const auto n = static_cast<Eigen::Index>(6 * frames.size());
  Projection out{MatrixXd::Constant(n, n, std::nan("")), VectorXd::Constant(n, std::nan(""))};
  Workspace<double> w(c.model);
  OperationalSpaceWorkspace<double> s(c.model, static_cast<int>(frames.size()));
  w.fill(std::nan(""));
  operational_space_inverse_inertia<double>(c.model, w, s, c.q, frames, out.Phi);
  w.fill(std::nan(""));
  operational_space_bias<double>(c.model, w, s, c.q, c.v, c.tau, frames, out.b, f_ext);
  return out;
}

std::vector<int> some_frames(const Model& model, Random& random, int count) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(random.below(model.frames()));
  return out;
}

TEST(OperationalSpace, IsWhatForcesOnTheFramesDo) {
  Worst definition("Phi = J H^-1 J'", 1e-11), motion("a = Phi f + b", 1e-11), rank("rank Phi = rank J", 0.0);
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomCase c(seed);
    Random random(seed + 77);
    const std::vector<int> frames = some_frames(c.model, random, 1 + static_cast<int>(seed % 3));
    const Projection p = project(c, frames, c.f_ext);
    Poisoned run(c.model);
    MatrixXd J(p.b.size(), c.model.nv());
    for (std::size_t k = 0; k < frames.size(); ++k)
      J.middleRows(static_cast<Eigen::Index>(6 * k), 6) = run.jacobian(c.q, frames[k]);
    definition.add(relative_error(p.Phi, MatrixXd(J * run.mass_matrix(c.q).ldlt().solve(J.transpose()))), c.name);
    const auto rank_of = [](const MatrixXd& A) {
      Eigen::FullPivLU<MatrixXd> lu(A);
      lu.setThreshold(1e-9);
      return static_cast<double>(lu.rank());
    };
    if (frames.size() == 1) rank.add(std::abs(rank_of(J) - rank_of(p.Phi)), c.name);

    // forward dynamics with forces on the frames among the external ones
    const VectorXd f = random.values(static_cast<int>(p.b.size()));
    const Kinematics<double> poses = run.kinematics(c.q);
    std::vector<ForceVector<double>> f_ext = c.f_ext;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const VectorXd own = f.segment(static_cast<Eigen::Index>(6 * k), 6);
      const ForceVector<double> force{{own(0), own(1), own(2)}, {own(3), own(4), own(5)}};
      f_ext[static_cast<std::size_t>(c.model.frame(frames[k]).body)] +=
          transpose_apply(frame_transform(c.model, poses, frames[k]), force);
    }
    const VectorXd qdd = run.forward_dynamics(c.q, c.v, c.tau, f_ext);
    const Kinematics<double> k = run.kinematics(c.q, c.v, qdd);
    VectorXd a(p.b.size());
    for (std::size_t i = 0; i < frames.size(); ++i)
      a.segment(static_cast<Eigen::Index>(6 * i), 6) = dense(frame_acceleration(c.model, k, frames[i]));
    motion.add(relative_error(VectorXd(p.Phi * f + p.b), a, p.b.norm() + qdd.norm()), c.name);
  }
}

/// Where a body hangs on a free joint, I = Phi^-1 is its articulated-body inertia and p its bias force.
TEST(OperationalSpace, InertiaWhereThereIsOne) {
  Worst inertia("I^A = Phi^-1", 1e-11), force("p^A = -I^A b", 1e-11);
  int free_bodies = 0, others = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomCase c(seed);
    Poisoned run(c.model);
    for (int i = 1; i <= c.model.bodies(); ++i) {
      if (c.model.link(i).parent != 0) continue;
      const bool is_free = c.model.link(i).kernel == JointKernel::free;
      if (is_free && c.model.armature(c.model.link(i).v) != 0.0) continue;
      if (is_free) c.tau.segment(c.model.link(i).v, 6).setZero();
      const int frame = c.model.body_frame(i);
      const Projection p = project(c, {frame});
      MatrixXd I(6, 6);
      VectorXd bias(6);
      const bool found = operational_space_inertia({p.Phi.data(), 6, 6}, p.b, I, bias);
      if (c.model.link(i).nv < 6) EXPECT_FALSE(found) << c.name << " " << c.model.body_name(i);
      if (!is_free) {
        ++others;
        continue;
      }
      ++free_bodies;
      ASSERT_TRUE(found) << c.name;
      const DenseArticulated A = dense_aba(c.model, run.kinematics(c.q, c.v, VectorXd::Zero(c.model.nv())), c.tau);
      const Matrix6 X = motion_transform(c.model.frame(frame).X);  // internal frame to the user's
      inertia.add(relative_error(MatrixXd(X.transpose() * I * X), MatrixXd(A.I_A[static_cast<std::size_t>(i)])),
                  c.name);
      // dense_aba counts gravity as an acceleration of the world
      const Vec3<double>& g = c.model.gravity();
      Vector6 a_g;
      a_g << 0, 0, 0, g[0], g[1], g[2];
      const Vector6 fall = motion_transform(run.kinematics(c.q).X_0[static_cast<std::size_t>(i)]) * a_g;
      const Vector6 p_A = A.p_A[static_cast<std::size_t>(i)] - A.I_A[static_cast<std::size_t>(i)] * fall;
      force.add(relative_error(Vector6(X.transpose() * bias), p_A), c.name);
    }
  }
  EXPECT_GT(free_bodies, 5);
  EXPECT_GT(others, 5);
}

// --- assembly --------------------------------------------------------------------------------------------------

/// Every body with a handle for each of its joints and one for us; joints are closed one by one, in random order.
class Assembly {
 public:
  Assembly(const RandomCase& c, const Kinematics<double>& k) : c_(c), k_(k) {
    const Model& model = c.model;
    for (int b = 0; b <= model.bodies(); ++b) {
      std::vector<int> labels{observer(b)};
      for (int j = 1; j <= model.bodies(); ++j)
        if (j == b || model.link(j).parent == b) labels.push_back(end(j, j == b));
      const int count = static_cast<int>(labels.size());
      parts_.push_back({b == 0 ? handles_of_world(count) : body(b, count), labels});
    }
  }

  void close(int joint) {
    const std::size_t inner = part_with(end(joint, false)), outer = part_with(end(joint, true));
    ASSERT_NE(inner, outer);
    Part &first = parts_[inner], &second = parts_[outer];
    const Link& link = c_.model.link(joint);
    HandleJoint j{first.handle(end(joint, false)), second.handle(end(joint, true)), MatrixXd(6, link.nv), {}, {}};
    for (int i = 0; i < link.nv; ++i) j.S.col(i) = in_world(joint, k_.S[static_cast<std::size_t>(link.v + i)]);
    const auto b = static_cast<std::size_t>(joint), up = static_cast<std::size_t>(link.parent);
    j.c = in_world(joint, k_.a[b]) - (up == 0 ? Vector6(Vector6::Zero()) : in_world(link.parent, k_.a[up]));
    j.tau = c_.tau.segment(link.v, link.nv);
    Part joined{join(first.handles, second.handles, {j}), {}};
    for (const Part* part : {&first, &second})
      for (const int label : part->labels)
        if (label != end(joint, false) && label != end(joint, true)) joined.labels.push_back(label);
    parts_[inner] = joined;
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(outer));
  }

  /// At our handle of two bodies, world coordinates; only once all joints are closed.
  Projection at(int body1, int body2) const {
    EXPECT_EQ(parts_.size(), 1u);
    const Part& whole = parts_.front();
    const int h[] = {whole.handle(observer(body1)), whole.handle(observer(body2))};
    Projection out{MatrixXd(12, 12), VectorXd(12)};
    for (int i = 0; i < 2; ++i) {
      out.b.segment(6 * i, 6) = whole.handles.b.segment(6 * h[i], 6);
      for (int j = 0; j < 2; ++j) out.Phi.block(6 * i, 6 * j, 6, 6) = whole.handles.Phi.block(6 * h[i], 6 * h[j], 6, 6);
    }
    return out;
  }

 private:
  struct Part {
    Handles handles;
    std::vector<int> labels;
    int handle(int label) const {
      return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    }
  };
  static int observer(int b) { return 3 * b; }
  static int end(int joint, bool outer) { return 3 * joint + (outer ? 1 : 2); }

  std::size_t part_with(int label) const {
    std::size_t i = 0;
    while (std::find(parts_[i].labels.begin(), parts_[i].labels.end(), label) == parts_[i].labels.end()) ++i;
    return i;
  }
  Vector6 in_world(int b, const MotionVector<double>& m) const {
    return dense(inverse_apply(k_.X_0[static_cast<std::size_t>(b)], m));
  }
  Handles body(int b, int count) const {
    const auto i = static_cast<std::size_t>(b);
    const RigidBodyInertia<double> I = transpose_apply(k_.X_0[i], c_.model.link(b).I);
    const MotionVector<double> v = inverse_apply(k_.X_0[i], k_.v[i]), fall{{}, c_.model.gravity()};
    return handles_of_body(I, cross(v, I * v) - I * fall, count);
  }

  const RandomCase& c_;
  const Kinematics<double>& k_;
  std::vector<Part> parts_;
};

/// A random tree of the given joints on the world, without rotors.
RandomCase random_tree(std::uint64_t seed, int bodies) {
  Random random(seed);
  ModelBuilder builder("tree " + std::to_string(seed));
  builder.gravity(random.vector(9.0));
  constexpr int types = std::variant_size_v<decltype(Joint::type)>;
  for (int i = 1; i <= bodies; ++i) {
    const int parent = random.below(i);
    const Joint type = random_joint(random, static_cast<std::size_t>((i + static_cast<int>(seed)) % types));
    builder.body(std::to_string(i), random.mass());
    builder.joint(parent == 0 ? "world" : std::to_string(parent), std::to_string(i), type, random.pose());
  }
  RandomCase c(seed);
  c.model = builder.keep_fixed_joints().build();
  c.q = random_configuration(random, c.model);
  c.v = random.values(c.model.nv());
  c.tau = random.values(c.model.nv(), 5.0);
  return c;
}

TEST(Handles, AssemblyInAnyOrderIsProjection) {
  Worst inverse("assembled Phi = J H^-1 J'", 1e-10), bias("assembled b", 1e-10);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomCase c = random_tree(seed, 8);
    Poisoned run(c.model);
    const Kinematics<double> k = run.kinematics(c.q, c.v, VectorXd::Zero(c.model.nv()));
    Random random(seed);
    std::vector<int> joints;
    for (int j = 1; j <= c.model.bodies(); ++j) joints.push_back(j);
    Assembly assembly(c, k);
    while (!joints.empty()) {
      const int pick = random.below(static_cast<int>(joints.size()));
      assembly.close(joints[static_cast<std::size_t>(pick)]);
      joints.erase(joints.begin() + pick);
    }
    const int body1 = 1 + random.below(c.model.bodies()), body2 = 1 + random.below(c.model.bodies());
    const std::vector<int> frames{c.model.body_frame(body1), c.model.body_frame(body2)};
    const Projection found = assembly.at(body1, body2), own_axes = project(c, frames);
    MatrixXd X = MatrixXd::Zero(12, 12);  // own axes to the world's
    for (int i = 0; i < 2; ++i)
      X.block(6 * i, 6 * i, 6, 6) =
          motion_transform(frame_transform(c.model, k, frames[static_cast<std::size_t>(i)])).inverse();
    inverse.add(relative_error(found.Phi, MatrixXd(X * own_axes.Phi * X.transpose())), c.name);
    bias.add(relative_error(found.b, VectorXd(X * own_axes.b)), c.name);
  }
}

/// Both ends of a bar on two posts at once, with a redundant constraint: it stays where it is and the load is carried.
TEST(Handles, SeveralJointsAtOnce) {
  const RigidBodyInertia<double> bar =
      rigid_body_inertia(2.0, Vec3<double>{0.5, 0.0, 0.0}, Sym3<double>{0.1, 0.2, 0.2, 0.0, 0.0, 0.0});
  const ForceVector<double> p = -(bar * MotionVector<double>{{}, {0.0, 0.0, -9.81}});
  HandleJoint pin{0, 0, MatrixXd::Zero(6, 1), {}, VectorXd::Zero(1)};
  pin.c.setZero();
  pin.S(1, 0) = 1.0;  // both turn about the y axis of the origin
  HandleJoint same = pin;
  same.first = same.second = 1;
  const Handles once = join(handles_of_world(1), handles_of_body(bar, p, 2), {pin}),
                twice = join(handles_of_world(2), handles_of_body(bar, p, 3), {pin, same});
  ASSERT_EQ(once.count(), 1);
  ASSERT_EQ(twice.count(), 1);
  EXPECT_TRUE(near(twice.Phi, once.Phi, 1e-14));
  EXPECT_TRUE(near(twice.b, once.b, 1e-14));
  // a physical pendulum: angular acceleration m g l / I about y
  EXPECT_NEAR(once.b(1), 2.0 * 9.81 * 0.5 / (0.2 + 2.0 * 0.25), 1e-13);
  EXPECT_NEAR(once.Phi(1, 1), 1.0 / (0.2 + 2.0 * 0.25), 1e-13);
  EXPECT_THROW(join(once, twice, {}), std::invalid_argument);
  EXPECT_THROW(join(handles_of_world(1), handles_of_body(bar, p, 3), {pin, same}), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test

// Pinocchio's templates on a collection of just the joints that occur (its fastest form), compiled like our kernels.
// The model keeps the frames of the file it came from, as Pinocchio's own reader would.
#include "benchmarks/peer.hpp"

#ifdef CARDAN_WITH_PINOCCHIO

#include "cardan/algorithms/kinematics.hpp"

#include <pinocchio/config.hpp>
#include <pinocchio/multibody/joint.hpp>

#include <boost/variant.hpp>

namespace cardan::bench {

template <typename Scalar_, int Options_ = 0>
struct FewJoints {
  typedef Scalar_ Scalar;
  enum { Options = Options_ };
  typedef pinocchio::JointModelRevoluteTpl<Scalar, Options, 0> JointModelRX;
  typedef pinocchio::JointModelRevoluteTpl<Scalar, Options, 1> JointModelRY;
  typedef pinocchio::JointModelRevoluteTpl<Scalar, Options, 2> JointModelRZ;
  typedef pinocchio::JointModelRevoluteUnalignedTpl<Scalar, Options> JointModelRevoluteUnaligned;
  typedef pinocchio::JointModelPrismaticTpl<Scalar, Options, 0> JointModelPX;
  typedef pinocchio::JointModelPrismaticTpl<Scalar, Options, 1> JointModelPY;
  typedef pinocchio::JointModelPrismaticTpl<Scalar, Options, 2> JointModelPZ;
  typedef pinocchio::JointModelPrismaticUnalignedTpl<Scalar, Options> JointModelPrismaticUnaligned;
  typedef pinocchio::JointModelFreeFlyerTpl<Scalar, Options> JointModelFreeFlyer;
  typedef boost::variant<JointModelRX, JointModelRY, JointModelRZ, JointModelRevoluteUnaligned, JointModelPX,
                         JointModelPY, JointModelPZ, JointModelPrismaticUnaligned, JointModelFreeFlyer>
      JointModelVariant;
  typedef boost::variant<
      pinocchio::JointDataRevoluteTpl<Scalar, Options, 0>, pinocchio::JointDataRevoluteTpl<Scalar, Options, 1>,
      pinocchio::JointDataRevoluteTpl<Scalar, Options, 2>, pinocchio::JointDataRevoluteUnalignedTpl<Scalar, Options>,
      pinocchio::JointDataPrismaticTpl<Scalar, Options, 0>, pinocchio::JointDataPrismaticTpl<Scalar, Options, 1>,
      pinocchio::JointDataPrismaticTpl<Scalar, Options, 2>, pinocchio::JointDataPrismaticUnalignedTpl<Scalar, Options>,
      pinocchio::JointDataFreeFlyerTpl<Scalar, Options>>
      JointDataVariant;
};

}  // namespace cardan::bench

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

namespace cardan::bench {

namespace {

using PinModel = pinocchio::ModelTpl<double, 0, FewJoints>;
using PinData = pinocchio::DataTpl<double, 0, FewJoints>;
using Joints = FewJoints<double>;

Eigen::Vector3d eigen(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }
Eigen::Matrix3d eigen(const Mat3<double>& m) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
  return out;
}

/// The joint with the peer's fast type where the axis is a coordinate axis in the file's own frames.
bool add_joint(PinModel& pin, const Model& model, int i, const pinocchio::SE3& at) {
  const auto parent = static_cast<pinocchio::JointIndex>(model.link(i).parent);
  const std::string& name = model.joint_name(i);
  const auto along = [&](const Vec3<double>& axis, auto x, auto y, auto z, auto any) {
    if (axis[0] == 1.0) return pin.addJoint(parent, x, at, name);
    if (axis[1] == 1.0) return pin.addJoint(parent, y, at, name);
    if (axis[2] == 1.0) return pin.addJoint(parent, z, at, name);
    return pin.addJoint(parent, any, at, name);
  };
  const Joint& joint = model.joint(i);
  if (const auto* r = std::get_if<Revolute>(&joint.type))
    along(r->axis, Joints::JointModelRX(), Joints::JointModelRY(), Joints::JointModelRZ(),
          Joints::JointModelRevoluteUnaligned(eigen(r->axis)));
  else if (const auto* p = std::get_if<Prismatic>(&joint.type))
    along(p->axis, Joints::JointModelPX(), Joints::JointModelPY(), Joints::JointModelPZ(),
          Joints::JointModelPrismaticUnaligned(eigen(p->axis)));
  else if (std::holds_alternative<Free>(joint.type) && !joint.reversed)
    pin.addJoint(parent, Joints::JointModelFreeFlyer(), at, name);
  else
    return false;
  return true;
}

bool build(PinModel& pin, const Model& model) {
  pin.gravity.linear() = eigen(model.gravity());
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, model.neutral(), k);
  for (int i = 1; i <= model.bodies(); ++i) {
    const auto user = [&](int body) { return body == 0 ? 0 : model.body_frame(body); };
    const Pose<double> at = inverse(frame_pose(model, k, user(model.link(i).parent))) * frame_pose(model, k, user(i));
    if (!add_joint(pin, model, i, pinocchio::SE3(eigen(at.R), eigen(at.p)))) return false;
    const RigidBodyInertia<double> I = model.frame(user(i)).X * model.link(i).I;
    const Eigen::Vector3d c = I.m > 0.0 ? Eigen::Vector3d(eigen(I.h) / I.m) : Eigen::Vector3d::Zero();
    const Eigen::Matrix3d about_origin = eigen(full(I.I));
    const Eigen::Matrix3d about_com =
        about_origin - I.m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    pin.appendBodyToJoint(static_cast<pinocchio::JointIndex>(i), pinocchio::Inertia(I.m, c, about_com));
  }
  return true;
}

/// Free joints: position before quaternion, quaternion scalar last, linear before angular.
struct Converted {
  std::vector<Eigen::VectorXd> q, v, a, tau;
};
Eigen::VectorXd swap_velocity(const Model& model, const std::vector<double>& v) {
  Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.link(i).kernel == JointKernel::free)
      out.segment<3>(model.link(i).v).swap(out.segment<3>(model.link(i).v + 3));
  return out;
}
Eigen::VectorXd swap_position(const Model& model, const std::vector<double>& q) {
  Eigen::VectorXd out = Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
  for (int i = 1; i <= model.bodies(); ++i)
    if (model.link(i).kernel == JointKernel::free) {
      const auto s = out.segment<7>(model.link(i).q).eval();
      out.segment<7>(model.link(i).q) << s[4], s[5], s[6], s[1], s[2], s[3], s[0];
    }
  return out;
}

std::vector<double> ours(const Model& model, const Eigen::VectorXd& a) {
  const Eigen::VectorXd swapped = swap_velocity(model, std::vector<double>(a.data(), a.data() + a.size()));
  return std::vector<double>(swapped.data(), swapped.data() + swapped.size());
}

/// A matrix over velocities, by columns.
template <class Matrix>
std::vector<double> ours_by_columns(const Model& model, const Matrix& theirs) {
  std::vector<double> position(static_cast<std::size_t>(model.nv()));
  for (std::size_t i = 0; i < position.size(); ++i) position[i] = static_cast<double>(i);
  const Eigen::VectorXi order = swap_velocity(model, position).cast<int>();
  const Eigen::MatrixXd out = Eigen::MatrixXd(theirs)(order, order);
  return std::vector<double>(out.data(), out.data() + out.size());
}

struct Session {
  const Model& model;
  PinModel pin;
  std::unique_ptr<PinData> data;
  Converted in;
  std::vector<pinocchio::RigidConstraintModel, Eigen::aligned_allocator<pinocchio::RigidConstraintModel>> loops;
  std::vector<pinocchio::RigidConstraintData, Eigen::aligned_allocator<pinocchio::RigidConstraintData>> loop_data;
  /// One solution without regularization: the loops are independent.
  pinocchio::ProximalSettings settings{1e-12, 0.0, 1};

  const Eigen::VectorXd& constrained(int i) {
    const auto n = static_cast<std::size_t>(i);
    return pinocchio::constraintDynamics(pin, *data, in.q[n], in.v[n], in.tau[n], loops, loop_data, settings);
  }
};

/// Loops that hold a point or a whole frame. No stabilization: the peer's correctors are zero unless they are set.
bool add_loops(Session& s) {
  for (const LoopJoint& loop : s.model.loops()) {
    const bool whole = std::holds_alternative<Fixed>(loop.type.type);
    if (!whole && !std::holds_alternative<Spherical>(loop.type.type)) return false;
    const auto placement = [&](const Frame& frame) {
      const int user = frame.body == 0 ? 0 : s.model.body_frame(frame.body);
      const Transform<double> X = frame.X * inverse(s.model.frame(user).X);
      return pinocchio::SE3(eigen(transpose(X.E)), eigen(X.r));
    };
    const auto joint = [](const Frame& frame) { return static_cast<pinocchio::JointIndex>(frame.body); };
    s.loops.emplace_back(whole ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D, s.pin, joint(loop.predecessor),
                         placement(loop.predecessor), joint(loop.successor), placement(loop.successor));
    s.loop_data.emplace_back(s.loops.back());
  }
  pinocchio::initConstraintDynamics(s.pin, *s.data, s.loops, s.loop_data);
  return true;
}

}  // namespace

std::unique_ptr<Peer> make_pinocchio(const Model& model, const States& states) {
  auto s = std::make_shared<Session>(Session{model, {}, {}, {}, {}, {}});
  if (!build(s->pin, model)) return nullptr;
  s->data = std::make_unique<PinData>(s->pin);
  for (std::size_t i = 0; i < states.q.size(); ++i) {
    s->in.q.push_back(swap_position(model, states.q[i]));
    s->in.v.push_back(swap_velocity(model, states.v[i]));
    s->in.a.push_back(swap_velocity(model, states.a[i]));
    s->in.tau.push_back(swap_velocity(model, states.tau[i]));
  }
  if (!add_loops(*s)) return nullptr;
  using pinocchio::Convention;
  auto peer = std::make_unique<Peer>();
  peer->name = "pinocchio";
  peer->version = PINOCCHIO_VERSION;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  peer->calls["inverse_dynamics"] = {
      [=](int i) { pinocchio::rnea(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.a[at(i)]); }};
  peer->calls["mass_matrix"] = {[=](int i) { pinocchio::crba(s->pin, *s->data, s->in.q[at(i)], Convention::LOCAL); },
                                [=](int i) { pinocchio::crba(s->pin, *s->data, s->in.q[at(i)], Convention::WORLD); }};
  peer->calls["forward_dynamics"] = {
      [=](int i) {
        pinocchio::aba(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.tau[at(i)], Convention::LOCAL);
      },
      [=](int i) {
        pinocchio::aba(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.tau[at(i)], Convention::WORLD);
      }};
  peer->calls["kinematics"] = {[=](int i) { pinocchio::forwardKinematics(s->pin, *s->data, s->in.q[at(i)]); }};
  peer->calls["jacobians"] = {[=](int i) { pinocchio::computeJointJacobians(s->pin, *s->data, s->in.q[at(i)]); }};
  peer->calls["inverse_mass_matrix"] = {[=](int i) { pinocchio::computeMinverse(s->pin, *s->data, s->in.q[at(i)]); }};
  const auto differentiate_inverse = [=](int i) {
    pinocchio::computeRNEADerivatives(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.a[at(i)]);
  };
  const auto differentiate_forward = [=](int i) {
    pinocchio::computeABADerivatives(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.tau[at(i)]);
  };
  peer->calls["inverse_dynamics_derivatives"] = {differentiate_inverse};
  peer->calls["forward_dynamics_derivatives"] = {differentiate_forward};
  peer->derivatives = [=](int i) {
    differentiate_inverse(i);
    std::vector out{ours_by_columns(s->model, s->data->dtau_dq), ours_by_columns(s->model, s->data->dtau_dv)};
    differentiate_forward(i);
    out.push_back(ours_by_columns(s->model, s->data->ddq_dq));
    out.push_back(ours_by_columns(s->model, s->data->ddq_dv));
    return out;
  };
  peer->forward_dynamics = [=](int i) {
    return ours(s->model,
                pinocchio::aba(s->pin, *s->data, s->in.q[at(i)], s->in.v[at(i)], s->in.tau[at(i)], Convention::LOCAL));
  };
  peer->calls["constrained_dynamics"] = {[=](int i) { s->constrained(i); }};
  peer->constrained_dynamics = [=](int i) { return ours(s->model, s->constrained(i)); };
  return peer;
}

}  // namespace cardan::bench

#else

namespace cardan::bench {
std::unique_ptr<Peer> make_pinocchio(const Model&, const States&) { return nullptr; }
}  // namespace cardan::bench

#endif

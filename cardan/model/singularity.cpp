#include "cardan/model/singularity.hpp"

#include "cardan/joints/joint_motion.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <cmath>

namespace cardan {

namespace {

enum class Condition { regular, loses_rank, undefined };

Condition condition_of(const Joint& joint, const double* q) {
  if (joint.nv() == 0) return Condition::regular;
  const std::vector<double> any(static_cast<std::size_t>(joint.nv()), 1.0);  // whatever v is, c_J must come out finite
  const JointMotion k = joint_motion(joint, q, any.data());
  // the nonzero singular values of a 6 x n matrix are those of the same with zeros beside it: one size to compile
  Eigen::Matrix<double, 6, 6> S = Eigen::Matrix<double, 6, 6>::Zero();
  bool finite = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) finite = finite && std::isfinite(k.X.E(i, j)) && std::isfinite(k.X.r[j]);
  for (int i = 0; i < 6; ++i) {
    finite = finite && std::isfinite(k.c_J[i]);
    for (int j = 0; j < k.nv; ++j) S(i, j) = k.S[j][i];
  }
  if (!finite || !S.allFinite()) return Condition::undefined;
  const auto values = Eigen::JacobiSVD<Eigen::Matrix<double, 6, 6>, Eigen::NoQRPreconditioner>(S).singularValues();
  constexpr double tolerance = 1e-9;
  return values[k.nv - 1] > tolerance * values[0] ? Condition::regular : Condition::loses_rank;
}

/// The field's word for what happens to a joint where S loses rank.
const char* name_of_lock(const Joint& joint) {
  const std::string type = joint.type_name();
  if (type == "on_surface" || type == "surface") return "some of its coordinates move the body alike (pole)";
  bool euler = false;
  for_each_part(joint, 0, 0, [&]<class J>(const J&, int, int) { euler |= std::same_as<J, SphericalEuler>; });
  return euler ? "some of its coordinates move the body alike (gimbal lock)"
               : "some of its coordinates move the body alike";
}

}  // namespace

std::vector<SingularJoint> singular_joints(const Model& model, std::span<const double> q) {
  if (q.size() != static_cast<std::size_t>(model.nq()))
    throw std::invalid_argument(fmt::format("singular_joints: q must have {} entries, found {}", model.nq(), q.size()));
  std::vector<SingularJoint> out;
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    if (link.kernel < JointKernel::general_0) continue;  // S is constant
    const Joint& joint = model.joint(i);
    const Condition condition = condition_of(joint, q.data() + link.q);
    if (condition == Condition::regular) continue;
    std::string at;
    for (int k = 0; k < link.nq; ++k)
      at += fmt::format("{}{:.9g}", k == 0 ? "" : ", ", q[static_cast<std::size_t>(link.q + k)]);
    const bool finite = condition == Condition::loses_rank;
    out.push_back(
        {i, finite,
         fmt::format("joint \"{}\" ({}) is singular at q = [{}]: {}", model.joint_name(i), joint.type_name(), at,
                     finite ? name_of_lock(joint) : "its pose or a derivative of it is not defined there")});
  }
  return out;
}

}  // namespace cardan

#include "cardan/model/singularity.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <cmath>

namespace cardan {

namespace {

enum class Condition { regular, loses_rank, undefined };

/// The N nonzero singular values of a 6 x N matrix are those of the same with zeros beside it: one size to compile, not
/// six.
using Padded = Eigen::Matrix<double, 6, 6>;
using SingularValues = Eigen::JacobiSVD<Padded, Eigen::NoQRPreconditioner>;

template <int N>
Condition condition_of(const Joint& joint, const Coordinates<double>& q) {
  Vector<double, N> v;  // whatever it is, c_J must come out finite
  for (int i = 0; i < N; ++i) v[i] = 1.0;
  const JointKinematics<double, N> k = joint.kinematics<double, N>(q, v);
  Padded S = Padded::Zero();
  bool finite = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) finite = finite && std::isfinite(k.E(i, j)) && std::isfinite(k.p[j]);
  for (int i = 0; i < 6; ++i) {
    finite = finite && std::isfinite(k.c_J[i]);
    for (int j = 0; j < N; ++j) S(i, j) = k.S.column[j][i];
  }
  if (!finite || !S.allFinite()) return Condition::undefined;
  const auto singular_values = SingularValues(S).singularValues();
  constexpr double tolerance = 1e-9;
  const bool full_rank = singular_values[N - 1] > tolerance * singular_values[0];
  return full_rank ? Condition::regular : Condition::loses_rank;
}

Condition condition_of(const Joint& joint, const Coordinates<double>& q) {
  switch (joint.nv()) {
    case 1: return condition_of<1>(joint, q);
    case 2: return condition_of<2>(joint, q);
    case 3: return condition_of<3>(joint, q);
    case 4: return condition_of<4>(joint, q);
    case 5: return condition_of<5>(joint, q);
    case 6: return condition_of<6>(joint, q);
    default: return Condition::regular;
  }
}

}  // namespace

std::vector<SingularJoint> singular_joints(const Model& model, std::span<const double> q) {
  if (q.size() != static_cast<std::size_t>(model.nq()))
    throw std::invalid_argument(fmt::format("singular_joints: q must have {} entries, found {}", model.nq(), q.size()));
  std::vector<SingularJoint> out;
  std::vector<double> s(q.size()), c(q.size());
  sincos_all(q.data(), static_cast<int>(q.size()), s.data(), c.data());
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    if (link.path < JointPath::general_0) continue;  // S is constant
    const Joint& joint = model.joint(i);
    const Condition condition = condition_of(joint, Coordinates<double>{q.data(), s.data(), c.data()}.from(link.q));
    if (condition == Condition::regular) continue;
    std::string at;
    for (int k = 0; k < link.nq; ++k)
      at += fmt::format("{}{:.9g}", k == 0 ? "" : ", ", q[static_cast<std::size_t>(link.q + k)]);
    const bool finite = condition == Condition::loses_rank;
    out.push_back(
        {i, finite,
         fmt::format("joint \"{}\" ({}) is singular at q = [{}]: {}", model.joint_name(i), joint.type_name(), at,
                     finite ? "some of its coordinates move the body alike"
                            : "its pose or a derivative of it is not defined there")});
  }
  return out;
}

}  // namespace cardan

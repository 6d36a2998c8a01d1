#include "cardan/dynamics/body_coordinates.hpp"

#include "cardan/joints/joint_motion.hpp"
#include "cardan/spatial/se3.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr int kMostIterations = 40;
constexpr double kConverged = 1e-14;

/// The layout of coordinates and velocities, as that of a model whose maximal bodies are free. Only its joints and
/// their places are used.
Model layout_of(const Model& model, const std::vector<bool>& maximal) {
  ModelData data = model.data();
  data.identity = ModelData::next_identity();
  data.nq = data.nv = 0;
  data.body_of_dof.clear();
  for (int i = 1; i <= model.bodies(); ++i) {
    if (maximal[static_cast<std::size_t>(i)]) data.joints[i] = Joint(Free{});
    Link& link = data.links[i];
    link.q = data.nq;
    link.nq = data.joints[i].nq();
    link.v = data.nv;
    link.nv = data.joints[i].nv();
    data.nq += link.nq;
    data.nv += link.nv;
    data.body_of_dof.insert(data.body_of_dof.end(), static_cast<std::size_t>(link.nv), i);
  }
  return Model(std::move(data));
}

/// S^+ m of a joint.
void rates_of(const Kinematics<double>& joints, const Link& link, const MotionVector<double>& m, double* out) {
  if (link.nv == 0) return;
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> S(6, link.nv);
  Eigen::Matrix<double, 6, 1> b;
  for (int c = 0; c < 6; ++c) {
    b[c] = m[c];
    for (int k = 0; k < link.nv; ++k) S(c, k) = joints.S[static_cast<std::size_t>(link.v + k)][c];
  }
  if (link.nv == 1) {
    out[0] = S.col(0).dot(b) / S.col(0).squaredNorm();
    return;
  }
  Eigen::Map<Eigen::VectorXd>(out, link.nv) = S.completeOrthogonalDecomposition().solve(b);
}

MotionVector<double> combined(const Kinematics<double>& joints, const Link& link, const double* rates) {
  MotionVector<double> out;
  for (int k = 0; k < link.nv; ++k) out += rates[k] * joints.S[static_cast<std::size_t>(link.v + k)];
  return out;
}

}  // namespace

BodyCoordinates::BodyCoordinates(const Model& model, std::vector<bool> maximal, int element_states)
    : model_(model),
      maximal_(std::move(maximal)),
      space_(layout_of(model, maximal_), element_states),
      workspace_(model),
      joints_(model),
      bodies_(model),
      q_(model.neutral()),
      v_(static_cast<std::size_t>(model.nv())),
      at_rest_(v_),
      gap_(maximal_.size()) {}

Instant BodyCoordinates::evaluate(double t, In<double> q, In<double> v, In<double> z, In<double> u) {
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link &link = model_.link(i), &own = place(i);
    if (is_maximal(i)) {
      const JointMotion pose = joint_motion(space_.model().joint(i), q.data() + own.q, v.data() + own.v);
      bodies_.X_0[static_cast<std::size_t>(i)] = pose.X;
    } else {
      std::copy_n(q.data() + own.q, own.nq, q_.data() + link.q);
    }
  }
  find_joint_coordinates();
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link &link = model_.link(i), &own = place(i);
    const auto b = static_cast<std::size_t>(i);
    const MotionVector<double> carried = joints_.X[b] * bodies_.v[static_cast<std::size_t>(link.parent)];
    if (is_maximal(i)) {
      for (int c = 0; c < 6; ++c) bodies_.v[b][c] = v[own.v + c];
      rates_of(joints_, link, bodies_.v[b] - carried, v_.data() + link.v);
    } else {
      std::copy_n(v.data() + own.v, own.nv, v_.data() + link.v);
      bodies_.v[b] = carried + combined(joints_, link, v_.data() + link.v);
    }
  }
  forward_kinematics<double>(model_, workspace_, q_, v_, at_rest_, joints_);
  std::copy(joints_.X.begin(), joints_.X.end(), bodies_.X.begin());
  std::copy(joints_.S.begin(), joints_.S.end(), bodies_.S.begin());
  // bodies_.a stays zero: a body's acceleration is an unknown of its own
  memory_.next_instant();
  return {model_, t, q_, v_, z, u, bodies_, &memory_};
}

void BodyCoordinates::find_joint_coordinates() {
  double before = INFINITY, change[6];
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    forward_kinematics<double>(model_, workspace_, q_, joints_);
    double most = 0.0;
    for (int i = 1; i <= model_.bodies(); ++i) {
      const Link& link = model_.link(i);
      const auto b = static_cast<std::size_t>(i);
      const Transform<double>& parent = bodies_.X_0[static_cast<std::size_t>(link.parent)];
      if (!is_maximal(i)) {
        bodies_.X_0[b] = joints_.X[b] * parent;
        continue;
      }
      const Transform<double> error = bodies_.X_0[b] * inverse(joints_.X[b] * parent);
      gap_[b] = log_se3(Pose<double>{transpose(error.E), error.r});
      rates_of(joints_, link, gap_[b], change);
      double size = 0.0;
      for (int k = 0; k < link.nv; ++k) size = std::max(size, std::abs(change[k]));
      most = std::max(most, size);
      if (size > kConverged) model_.joint(i).integrate(q_.data() + link.q, change, 1.0, q_.data() + link.q);
    }
    // rounding keeps the last steps from becoming zero; a step has moved what was already there by no more than that
    if (!(most > kConverged) || (most < 1e-11 && most >= before) || !std::isfinite(most)) return;
    before = most;
  }
}

MotionVector<double> BodyCoordinates::velocity_product(int body) const {
  const auto i = static_cast<std::size_t>(body), p = static_cast<std::size_t>(model_.link(body).parent);
  return joints_.a[i] - joints_.X[i] * joints_.a[p];
}

MotionVector<double> BodyCoordinates::drift(int body) const {
  const auto i = static_cast<std::size_t>(body), p = static_cast<std::size_t>(model_.link(body).parent);
  return bodies_.v[i] - joints_.X[i] * bodies_.v[p];
}

State BodyCoordinates::from_model(const State& state) {
  q_ = state.q;
  v_ = state.v;
  forward_kinematics<double>(model_, workspace_, q_, v_, joints_);
  State out = space_.zero_state();
  out.z = state.z;
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link &link = model_.link(i), &own = place(i);
    const auto b = static_cast<std::size_t>(i);
    double *const q = out.q.data() + own.q, *const v = out.v.data() + own.v;
    if (!is_maximal(i)) {
      std::copy_n(q_.data() + link.q, link.nq, q);
      std::copy_n(v_.data() + link.v, link.nv, v);
      continue;
    }
    const Transform<double>& X = joints_.X_0[b];
    const Eigen::Matrix3d R = Eigen::Matrix3d::NullaryExpr(
        [&](Eigen::Index r, Eigen::Index c) { return X.E(static_cast<int>(c), static_cast<int>(r)); });
    const Eigen::Quaterniond turn(R);
    const double pose[7] = {turn.w(), turn.x(), turn.y(), turn.z(), X.r[0], X.r[1], X.r[2]};
    std::copy_n(pose, 7, q);
    for (int c = 0; c < 6; ++c) v[c] = joints_.v[b][c];
  }
  return out;
}

State BodyCoordinates::to_model(const State& state) {
  evaluate(0.0, state.q, state.v, state.z);
  State out;
  out.q = q_;
  out.v = v_;
  out.z = state.z;
  return out;
}

}  // namespace cardan

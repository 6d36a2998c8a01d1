#include "cardan/simulate/recorder.hpp"

#include "cardan/math/so3.hpp"

#include <algorithm>

namespace cardan {

Recorder::Recorder(SystemWorkspace& workspace, Records records)
    : system_(workspace),
      records_(std::move(records)),
      workspace_(workspace.model()),
      kinematics_(workspace.model()),
      lines_(workspace.model()),
      a_(static_cast<std::size_t>(workspace.model().nv())) {
  for (const auto& entry : records_.entries())
    if (const auto* record = std::get_if<Records::OfFrame>(&entry)) {
      frames_ = true;
      accelerations_ = accelerations_ || record->quantity == FrameQuantity::acceleration;
    } else if (std::holds_alternative<LineRecord>(entry)) {
      frames_ = true;
    } else {
      const Records::Expression& expression = std::get<Records::Expression>(entry);
      inputs_.resize(std::max(inputs_.size(), expression.inputs.size()));
      scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(expression.interpreter.scratch())));
    }
  row_.reserve(records_.columns().size());
}

std::span<const double> Recorder::operator()(double t, const State& state, const Energy& energy) {
  if (records_.entries().empty()) return {};
  row_.assign(1, t);
  row_.insert(row_.end(), state.q.begin(), state.q.end());
  row_.insert(row_.end(), state.v.begin(), state.v.end());
  row_.insert(row_.end(), {energy.total(), energy.kinetic, energy.potential});
  const std::size_t states = row_.size();
  t_ = t;
  state_ = &state;
  if (frames_) move_frames(t, state);
  for (const auto& entry : records_.entries()) std::visit([&](const auto& record) { append(record); }, entry);
  return std::span(row_).subspan(states);
}

void Recorder::move_frames(double t, const State& state) {
  if (!accelerations_) return forward_kinematics(system_.model(), workspace_, state.q, state.v, kinematics_);
  system_.acceleration(t, state.q, state.v, a_);
  forward_kinematics(system_.model(), workspace_, state.q, state.v, a_, kinematics_);
}

void Recorder::append(const Records::OfFrame& record) {
  const Model& model = system_.model();
  const auto [R, p] = frame_pose(model, kinematics_, record.frame);
  const auto three = [&](const Vec3<double>& x) { row_.insert(row_.end(), {x[0], x[1], x[2]}); };
  const auto turned = [&, &R = R] {
    const Quaternion<double> q = quaternion_from_matrix(R);
    row_.insert(row_.end(), {q[0], q[1], q[2], q[3]});
  };
  const auto velocity = [&] { return frame_velocity(model, kinematics_, record.frame); };
  switch (record.quantity) {
    case FrameQuantity::position: return three(p + R * record.at);
    case FrameQuantity::orientation: return turned();
    case FrameQuantity::pose: three(p + R * record.at); return turned();
    case FrameQuantity::velocity: return three(R * (velocity().linear + cross(velocity().angular, record.at)));
    case FrameQuantity::angular_velocity: return three(R * velocity().angular);
    case FrameQuantity::acceleration: {
      const MotionVector<double> a = frame_classical_acceleration(model, kinematics_, record.frame);
      const Vec3<double> w = velocity().angular;
      return three(R * (a.linear + cross(a.angular, record.at) + cross(w, cross(w, record.at))));
    }
  }
}

void Recorder::append(const LineRecord& record) {
  const Instant at{system_.model(), t_, state_->q, state_->v, state_->z, kinematics_};
  lines_.append(system_.system(), at, record, row_);
}

void Recorder::append(const Records::Expression& record) {
  for (std::size_t i = 0; i < record.inputs.size(); ++i) inputs_[i] = row_[record.inputs[i]];
  double value = 0.0;
  record.interpreter.run(inputs_.data(), &value, scratch_.data());
  row_.push_back(value);
}

}  // namespace cardan

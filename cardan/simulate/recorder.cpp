#include "cardan/simulate/recorder.hpp"

#include "cardan/math/so3.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

Recorder::Recorder(SystemWorkspace& workspace, Records records)
    : system_(workspace),
      records_(std::move(records)),
      workspace_(workspace.model()),
      kinematics_(workspace.model()),
      a_(static_cast<std::size_t>(workspace.model().nv())) {
  for (const auto& entry : records_.entries())
    if (const auto* record = std::get_if<Records::OfFrame>(&entry)) {
      frames_ = true;
      accelerations_ = accelerations_ || record->quantity == FrameQuantity::acceleration;
    } else if (const auto* contact = std::get_if<Records::OfContact>(&entry)) {
      if (contact->quantity != ContactQuantity::gap) continue;
      frames_ = true;
      if (!world_) world_.emplace(workspace.model(), workspace.system().contact());
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

void Recorder::append(const Records::OfContact& record) {
  if (record.quantity == ContactQuantity::gap) {
    world_->update(kinematics_);
    double gap = std::numeric_limits<double>::infinity();
    for (const BodyDistance& distance : world_->distances())
      if (record.a.empty() || (distance.a == record.a && distance.b == record.b) ||
          (distance.a == record.b && distance.b == record.a))
        gap = std::min(gap, distance.contact.gap);
    row_.push_back(gap);
    return;
  }
  const ContactLog& log = system_.contact_log();
  Vec3<double> sum{};
  int count = 0;
  for (const ContactForce& contact : log.forces) {
    const std::string &a = log.owners[static_cast<std::size_t>(contact.owner_a)],
                      &b = log.owners[static_cast<std::size_t>(contact.owner_b)];
    const bool forward = a == record.a && b == record.b, backward = a == record.b && b == record.a;
    if (!record.a.empty() && !forward && !backward) continue;
    if (norm(contact.force) > 0.0) ++count;
    // the ground is always b: what it exerts is the opposite
    if (record.a.empty())
      sum += contact.from_world ? -1.0 * contact.force : Vec3<double>{};
    else
      sum += (forward ? 1.0 : -1.0) * contact.force;
  }
  if (record.quantity == ContactQuantity::count)
    row_.push_back(count);
  else
    row_.insert(row_.end(), {sum[0], sum[1], sum[2]});
}

void Recorder::append(const Records::Expression& record) {
  for (std::size_t i = 0; i < record.inputs.size(); ++i) inputs_[i] = row_[record.inputs[i]];
  double value = 0.0;
  record.interpreter.run(inputs_.data(), &value, scratch_.data());
  row_.push_back(value);
}

}  // namespace cardan

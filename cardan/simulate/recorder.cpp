#include "cardan/simulate/recorder.hpp"

#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/forces/controller.hpp"
#include "cardan/math/so3.hpp"
#include "cardan/simulate/internal/impulse_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

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
    } else if (const auto* of_forces = std::get_if<Records::OfForces>(&entry)) {
      forces_ = elements_ = true;
      if (of_forces->quantity == ForceQuantity::work) works_.push_back({.t = workspace.system().settings().start});
    } else if (std::holds_alternative<LineRecord>(entry)) {
      frames_ = elements_ = true;
    } else if (const auto* signal = std::get_if<Records::OfSignal>(&entry)) {
      elements_ = true;
      frames_ = frames_ || signal->value.needs_bodies();
    } else if (const auto* contact = std::get_if<Records::OfContact>(&entry)) {
      if (contact->quantity != ContactQuantity::gap) continue;
      frames_ = true;
      if (world_) continue;
      if (const auto& scene = workspace.system().contact_scene())
        world_.emplace(scene);
      else
        world_.emplace(workspace.model(), workspace.system().contact());
    } else {
      const Records::Expression& expression = std::get<Records::Expression>(entry);
      inputs_.resize(std::max(inputs_.size(), expression.inputs.size()));
      scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(expression.interpreter.scratch())));
    }
  row_.reserve(records_.columns().size());
  const Settings& settings = workspace.system().settings();
  const bool embeds = settings.formulation == Formulation::reduced && !settings.independent.empty();
  for (const auto& entry : records_.entries())
    if (const auto* record = std::get_if<Records::OfForces>(&entry);
        embeds && record != nullptr && record->quantity < ForceQuantity::effort)
      throw std::invalid_argument(
          "records of forces of joints and loops are not available where loops are solved by independent coordinates");
  if (const std::string what = beyond_events(workspace.system());
      workspace.system().is_stepped() && needs_accelerations() && !what.empty())
    throw std::invalid_argument(
        "records of accelerations and of forces of joints, loops and motions are not available "
        "with " +
        what);
}

/// True if a record asks for what follows from the accelerations of a motion without impacts.
bool Recorder::needs_accelerations() const {
  return accelerations_ || std::any_of(records_.entries().begin(), records_.entries().end(), [](const auto& entry) {
           const auto* record = std::get_if<Records::OfForces>(&entry);
           return record != nullptr && !std::holds_alternative<std::shared_ptr<const Force>>(record->owner);
         });
}

std::span<const double> Recorder::operator()(double t, const State& state, const Energy& energy) {
  if (records_.entries().empty()) return {};
  row_.assign(1, t);
  row_.insert(row_.end(), state.q.begin(), state.q.end());
  row_.insert(row_.end(), state.v.begin(), state.v.end());
  row_.insert(row_.end(), {energy.total(), energy.kinetic, energy.potential});
  const std::size_t states = row_.size();
  evaluate(t, state);
  next_work_ = 0;
  for (const auto& entry : records_.entries()) std::visit([&](const auto& record) { append(record); }, entry);
  return std::span(row_).subspan(states);
}

void Recorder::work_until(double t, const std::function<State(double)>& state_at) {
  const double begin = works_.front().t;
  if (!(t > begin)) return;
  const double far = std::sqrt(0.6);
  for (const auto& [place, weight] :
       {std::pair(-far, 5.0 / 18.0), std::pair(0.0, 8.0 / 18.0), std::pair(far, 5.0 / 18.0)}) {
    const double at = begin + 0.5 * (1.0 + place) * (t - begin);
    evaluate(at, state_at(at));
    std::size_t i = 0;
    for (const auto& entry : records_.entries())
      if (const auto* record = std::get_if<Records::OfForces>(&entry);
          record != nullptr && record->quantity == ForceQuantity::work)
        works_[i++].sum += weight * (t - begin) * efforts_of(*record);
  }
  for (Work& work : works_) work.t = t;
}

void Recorder::jump(double t, const State& before, const State& after) {
  if (works_.empty() || before.v == after.v) return;
  const ImpulseWork impulses(system_, t, before, after);
  std::size_t i = 0;
  for (const auto& entry : records_.entries()) {
    const auto* record = std::get_if<Records::OfForces>(&entry);
    if (record == nullptr || record->quantity != ForceQuantity::work) continue;
    Work& work = works_[i++];
    if (const auto* body = std::get_if<int>(&record->owner)) work.sum += impulses.of_joint(*body);
    if (const auto* motion = std::get_if<std::shared_ptr<const Constraint>>(&record->owner))
      work.sum += impulses.of(**motion);
  }
}

/// Computes what any of the records asks for.
void Recorder::evaluate(double t, const State& state) {
  t_ = t;
  memory_.next_instant();
  if (elements_) {
    state_ = state;
    if (static_cast<int>(state.z.size()) != system_.system().element_states()) state_ = system_.system().initial(state);
  }
  if (forces_) {
    system_.loads(t, state_, loads_);
    a_ = loads_.accelerations;
  } else if (accelerations_) {
    system_.acceleration(t, state, a_);
  }
  if (forces_ || accelerations_)
    forward_kinematics(system_.model(), workspace_, state.q, state.v, a_, kinematics_);
  else if (frames_)
    forward_kinematics(system_.model(), workspace_, state.q, state.v, kinematics_);
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

ForceVector<double> Recorder::bearing_of(const Records::OfForces& record) const {
  const Model& model = system_.model();
  const int body = std::get<int>(record.owner);
  const Link& link = model.link(body);
  const auto [R, p] = frame_pose(model, kinematics_, model.body_frame(body));
  const Transform<double>& to_user = model.frame(model.body_frame(body)).X;
  ForceVector<double> out = loads_.joints[static_cast<std::size_t>(body)];
  const auto column = [&](int k) { return to_user * kinematics_.S[static_cast<std::size_t>(link.v + k)]; };
  const double* tau = loads_.efforts.data() + link.v;
  if (record.drive) {
    const auto [R_p, p_p] = frame_pose(model, kinematics_, record.drive->frame);
    const Vec3<double> force = transpose_apply(R, R_p * record.drive->along),
                       at = transpose_apply(R, p_p + R_p * record.drive->at - p);
    const ForceVector<double> f{cross(at, force), force};
    const MotionVector<double> S = column(0);
    const double along = dot(f.moment, S.angular) + dot(f.force, S.linear);
    if (!(std::abs(along) > 1e-12 * (norm(f.moment) + 1.0) * (norm(S.angular) + norm(S.linear))))
      throw std::runtime_error(fmt::format("simulate: t = {:.6g}: joint \"{}\": the line of its drive does not move it",
                                           t_, model.joint_name(body)));
    out -= (tau[0] / along) * f;
  } else {
    Eigen::MatrixXd S(6, link.nv);
    for (int k = 0; k < link.nv; ++k)
      for (int i = 0; i < 6; ++i) S(i, k) = column(k)[i];
    const Eigen::VectorXd active =
        S * (S.transpose() * S).ldlt().solve(Eigen::Map<const Eigen::VectorXd>(tau, link.nv));
    for (int i = 0; i < 6; ++i) out[i] -= active[i];
  }
  return {R * out.moment, R * out.force};
}

ForceVector<double> Recorder::wrench_of(const Records::OfForces& record) const {
  const Model& model = system_.model();
  const auto in_world = [](const Mat3<double>& R, const ForceVector<double>& f) {
    return ForceVector<double>{R * f.moment, R * f.force};
  };
  if (const auto* body = std::get_if<int>(&record.owner))
    return in_world(frame_pose(model, kinematics_, model.body_frame(*body)).R,
                    loads_.joints[static_cast<std::size_t>(*body)]);
  // loops are the first constraints of a system
  const int loop = std::get<LoopIndex>(record.owner).index;
  const ConstraintSet& set = system_.constraints()->constraints();
  const Frame& on = model.loops()[static_cast<std::size_t>(loop)].successor;
  const Mat3<double> E = on.X.E * kinematics_.X_0[static_cast<std::size_t>(on.body)].E;
  return in_world(transpose(E), set.loop(loop)->force(loads_.multipliers.data() + set.first_row(loop)));
}

double Recorder::efforts_of(const Records::OfForces& record) {
  const Model& model = system_.model();
  efforts_.clear();
  double power = 0.0;
  const auto take = [&](const std::vector<double>& from, int v) {
    efforts_.push_back(from[static_cast<std::size_t>(v)]);
    power += efforts_.back() * state_.v[static_cast<std::size_t>(v)];
  };
  if (const auto* body = std::get_if<int>(&record.owner)) {
    for (int v = model.link(*body).v; v < model.link(*body).v + model.link(*body).nv; ++v) take(loads_.efforts, v);
  } else if (const auto* force = std::get_if<std::shared_ptr<const Force>>(&record.owner)) {
    const auto& controller = dynamic_cast<const Controller&>(**force);
    const Forces& all = system_.system().forces();
    const auto index = static_cast<std::size_t>(std::find(all.begin(), all.end(), *force) - all.begin());
    const auto first = system_.system().first_states();
    efforts_.resize(controller.joints().velocities.size());
    controller.efforts(instant().of_element(first[index], first[index + 1] - first[index]), efforts_);
    for (std::size_t i = 0; i < efforts_.size(); ++i)
      power += efforts_[i] * state_.v[static_cast<std::size_t>(controller.joints().velocities[i])];
  } else if (const auto* motion = std::get_if<std::shared_ptr<const Constraint>>(&record.owner)) {
    if (const auto* of_joint = dynamic_cast<const JointMotionConstraint*>(motion->get())) {
      const Link& link = model.link(of_joint->motion().body);
      for (int v = link.v; v < link.v + link.nv; ++v) take(loads_.drives, v);
    } else {
      power = multipliers_of(**motion);
    }
  }
  return power;
}

/// Fills in the forces of a motion of a body, and returns their power: that of each row is its force times the motion
/// along it.
double Recorder::multipliers_of(const Constraint& motion) {
  const ConstraintSet& set = system_.constraints()->constraints();
  Eigen::MatrixXd J(set.rows(), system_.model().nv());
  set.matrix(J);
  const Eigen::VectorXd along = J * Eigen::Map<const Eigen::VectorXd>(state_.v.data(), J.cols());
  double power = 0.0;
  for (int i = 0; i < set.size(); ++i)
    if (&set.constraint(i) == &motion)
      for (int row = set.first_row(i); row < set.first_row(i) + motion.rows(); ++row) {
        efforts_.push_back(loads_.multipliers[row]);
        power += loads_.multipliers[row] * along[row];
      }
  return power;
}

void Recorder::append(const Records::OfForces& record) {
  const auto three = [&](const Vec3<double>& x) { row_.insert(row_.end(), {x[0], x[1], x[2]}); };
  switch (record.quantity) {
    case ForceQuantity::force: return three(wrench_of(record).force);
    case ForceQuantity::moment: return three(wrench_of(record).moment);
    case ForceQuantity::wrench: {
      const ForceVector<double> f = wrench_of(record);
      three(f.moment);
      return three(f.force);
    }
    case ForceQuantity::bearing: {
      const ForceVector<double> f = bearing_of(record);
      three(f.moment);
      return three(f.force);
    }
    case ForceQuantity::effort:
      efforts_of(record);
      row_.insert(row_.end(), efforts_.begin(), efforts_.end());
      return;
    case ForceQuantity::power: row_.push_back(efforts_of(record)); return;
    case ForceQuantity::work: {
      Work& work = works_[next_work_++];
      const double power = efforts_of(record);
      if (t_ > work.t) work.sum += 0.5 * (t_ - work.t) * (work.power + power);
      work.t = t_;
      work.power = power;
      row_.push_back(work.sum);
    }
  }
}

void Recorder::append(const LineRecord& record) { lines_.append(system_.system(), instant(), record, row_); }

/// The state that is being recorded, with the states of all forces.
Instant Recorder::instant() const {
  return {system_.model(), t_, state_.q, state_.v, state_.z, system_.system().u(), kinematics_, &memory_};
}

void Recorder::append(const Records::OfSignal& record) {
  double value = 0.0;
  record.value.evaluate(instant(), &value);
  row_.push_back(value);
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
    // of all contacts: what the world exerts
    if (record.a.empty())
      sum += contact.body_b == 0 ? -1.0 * contact.force : contact.body_a == 0 ? contact.force : Vec3<double>{};
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

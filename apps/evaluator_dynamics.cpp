// Accelerations and the forces of contacts and constraints, by the way that a request asks for.
#include "apps/evaluator.hpp"
#include "apps/json_numbers.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/impulse_response.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

namespace cardan::command {

void Evaluator::accelerate() {
  std::vector<double> all = applied_;
  for (std::size_t i = 0; i < all.size(); ++i) all[i] += state_->tau[i];
  if (formulated_)
    (*formulated_)(state_->t, bare(), all, out_);
  else if (modes_)
    accelerate_with_contact(all);
  else
    accelerate_under(all);
}

void Evaluator::accelerate_under(const std::vector<double>& tau) {
  const auto& [t, q, v, a, given, wrench, u] = *state_;
  if (is_constrained())
    constrained_.forward_dynamics(t, q, v, tau, out_);
  else
    forward_dynamics<double>(model_, w_, q, v, tau, out_);
}

/// Solves for the accelerations with all contacts that touch; throws where one is about to bounce, or where no forces
/// obey all laws.
void Evaluator::accelerate_with_contact(const std::vector<double>& tau) {
  constexpr ContactModes::Limits kSlow{1e-7, 1e-7};  // m/s
  const auto& [t, q, v, a, given, wrench, u] = *state_;
  if (!modes_->move_to(t, q, v))
    throw std::runtime_error(where_ + ": expected a regular mass matrix with contact, found a singular one");
  modes_->set_forces(tau);
  modes_->gather(scene_.settings.penetration, contacts_);
  for (const LawUnit& unit : contacts_)
    if (const std::string other = not_rigid(unit.point.law); !other.empty())
      throw std::runtime_error(
          fmt::format("{}: {}: expected a rigid contact with friction alone for accelerations, found {}: simulate it "
                      "instead",
                      where_, modes_->name(unit), other));
  for (const LawUnit& unit : contacts_)
    if (unit.u()[0] < -kSlow.rest)
      throw std::runtime_error(
          fmt::format("{}: {}: expected contacts at rest along their normals for accelerations, found one that closes "
                      "at {:.6g} m/s: an impulse acts there",
                      where_, modes_->name(unit), -unit.u()[0]));
  const ContactModes::Selection selection = modes_->select(contacts_, kSlow);
  if (!selection.solved)
    throw std::runtime_error(
        fmt::format("{}: {}: expected forces that obey the laws of all contacts, found none: no acceleration exists "
                    "here, only an impulse goes on",
                    where_, selection.worst));
  for (std::size_t i = 0; i < out_.size(); ++i) out_[i] = modes_->acceleration()[static_cast<Eigen::Index>(i)];
  constrained_.set_multipliers(modes_->multipliers());
}

/// Writes the points that touch, with the force on b.
std::string Evaluator::contact_forces() {
  std::string out = "[";
  if (modes_) {
    accelerate();
    const CollisionWorld& world = modes_->points()->world();
    const auto owner = [&](int shape) {
      return json_text(world.owners()[static_cast<std::size_t>(world.shapes()[static_cast<std::size_t>(shape)].owner)]);
    };
    for (const LawUnit& unit : contacts_)
      out += fmt::format(R"({}{{"a": {}, "b": {}, "point": {}, "normal": {}, "force": {}}})",
                         out.size() == 1 ? "" : ", ", owner(unit.point.shape_a), owner(unit.point.shape_b),
                         json(unit.point.point), json(unit.point.axes[0]), json(unit.force()));
  }
  return out + "]";
}

/// Writes the force of a loop: moment and force on body b, in the axes of the loop's frame there and about its origin.
std::string Evaluator::constraint_forces() {
  if (is_constrained()) accelerate();
  return multipliers(constrained_.multipliers());
}

/// Writes the jump of velocities under the impulses tau at the joints and a wrench on the frame, and the impulses of
/// the constraints. Nothing that stays finite acts: no gravity, no springs, no contacts.
std::string Evaluator::impulse_response(int frame) {
  const auto& [t, q, v, a, tau, wrench, u] = *state_;
  std::vector<ForceVector<double>> impulses;
  if (!wrench.empty()) {
    const Frame& on = model_.frame(frame);
    impulses.resize(static_cast<std::size_t>(model_.bodies()) + 1);
    const Pose<double> pose = frame_pose(model_, k_, frame);
    const Vec3<double> force = pose.R * Vec3<double>{wrench[3], wrench[4], wrench[5]};
    const Vec3<double> moment = pose.R * Vec3<double>{wrench[0], wrench[1], wrench[2]} + cross(pose.p, force);
    impulses[static_cast<std::size_t>(on.body)] = {moment, force};
  }
  if (is_constrained())
    constrained_.impulse_response(t, q, tau, out_, impulses);
  else
    cardan::impulse_response<double>(model_, w_, q, tau, out_, impulses);
  const std::string jump = json(out_);
  return fmt::format(R"({{"dv": {}, "constraint_impulses": {}}})", jump,
                     is_constrained() ? multipliers(constrained_.impulses()) : "[]");
}

/// Writes multipliers of the constraints, by name.
std::string Evaluator::multipliers(const Eigen::VectorXd& all) {
  const ConstraintSet& set = constrained_.constraints();
  std::string out = "[";
  for (int i = 0; i < set.size(); ++i) {
    const double* lambda = all.data() + set.first_row(i);
    const LoopState* loop = set.loop(i);
    out += fmt::format(R"({}{{"constraint": {}, )", i == 0 ? "" : ", ", json_text(set.constraint(i).name()));
    if (loop) {
      const ForceVector<double> f = loop->force(lambda);
      out += fmt::format(R"("moment": {}, "force": {}}})", json(f.moment), json(f.force));
    } else {
      const auto rows = static_cast<std::size_t>(set.rows_of(i).size());
      out += fmt::format(R"("multiplier": {}}})", rows == 1 ? json(*lambda) : json(std::span(lambda, rows)));
    }
  }
  return out + "]";
}

std::string Evaluator::constraint_error() {
  constrained_.position_error(state_->t, state_->q);
  const Eigen::VectorXd& gap = constrained_.constraints().gap();
  return json(std::span(gap.data(), static_cast<std::size_t>(gap.size())));
}

}  // namespace cardan::command

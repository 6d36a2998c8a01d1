#include "cardan/simulate/internal/steady_problem.hpp"

#include "cardan/forces/controller.hpp"

namespace cardan {

SteadyProblem::SteadyProblem(SystemWorkspace& workspace) : workspace_(workspace) {
  const System& system = workspace.system();
  const auto first = system.first_states();
  for (std::size_t i = 0; i < system.forces().size(); ++i) {
    const double period = system.forces()[i]->period();
    const int states = first[i + 1] - first[i];
    period_.insert(period_.end(), static_cast<std::size_t>(states), period);
    any_sampled_ = any_sampled_ || (period > 0.0 && states > 0);
  }
}

void SteadyProblem::acceleration(const Point& at, Out<double> a, Out<double> z_dot) {
  workspace_.acceleration(at, a, z_dot);
  replace_sampled(at, z_dot);
}

void SteadyProblem::rates(const Point& at, Out<double> z_dot) {
  workspace_.rates(at, z_dot);
  replace_sampled(at, z_dot);
}

void SteadyProblem::replace_sampled(const Point& at, Out<double> z_dot) {
  if (!any_sampled_) return;
  State seen;
  seen.q.assign(at.q.data(), at.q.data() + at.q.size());
  seen.v.assign(at.v.data(), at.v.data() + at.v.size());
  seen.z.assign(at.z.data(), at.z.data() + at.z.size());
  workspace_.sample(at.t, seen, RecursiveProblem::Look::all);
  for (int i = 0; i < z_dot.size(); ++i)
    if (period(i) > 0.0) z_dot[i] = (seen.z[static_cast<std::size_t>(i)] - at.z[i]) / period(i);
}

void SteadyProblem::linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) {
  RecursiveProblem* const joints = workspace_.in_joint_coordinates();
  if (joints == nullptr) return Problem::linearize_states(at, a, lambda, out);
  const auto rates = [](const Force& force, const Instant& here, const DualInstant& there, std::span<Dual8> z_dot) {
    const auto* const controller = dynamic_cast<const Controller*>(&force);
    if (controller == nullptr || !(controller->period() > 0.0)) return force.rate_dual(here, there, z_dot);
    std::vector<Dual8> z(there.z.data(), there.z.data() + there.z.size());
    controller->sample_dual(there, z);
    for (std::size_t i = 0; i < z.size(); ++i)
      z_dot[i] = (z[i] - there.z[static_cast<int>(i)]) / Dual8(controller->period());
  };
  joints->linearize_states(at, rates, out);
}

}  // namespace cardan

#include "cardan/forces/controller.hpp"

#include "cardan/forces/internal/short_list.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

ControlledJoints ControlledJoints::of(const Model& model, std::string name, const std::vector<int>& bodies) {
  ControlledJoints out{.name = std::move(name)};
  for (const int body : bodies)
    for (int v = model.link(body).v; v < model.link(body).v + model.link(body).nv; ++v) {
      out.velocities.push_back(v);
      out.limit.push_back(model.dof(v).effort_limit);
    }
  return out;
}

Touches Controller::touches() const {
  Touches out{.velocities = joints_.velocities, .states = held() + states_};
  add_dependencies(out);
  return out;
}

Instant Controller::of_law(const Instant& at) const { return at.of_element(held(), states_); }

void Controller::efforts(const Instant& at, std::span<double> tau) const {
  if (held() > 0) {
    std::copy_n(at.z.data(), held(), tau.begin());
    return;
  }
  control(of_law(at), tau);
  for (std::size_t i = 0; i < count(); ++i) tau[i] = std::clamp(tau[i], -joints_.limit[i], joints_.limit[i]);
}

void Controller::add(const Instant& at, Pushes& pushes) const {
  ShortList list(count());
  const std::span<double> tau = list;
  efforts(at, tau);
  for (std::size_t i = 0; i < count(); ++i) pushes.velocity(joints_.velocities[i]) += tau[i];
}

void Controller::sample(const Instant& at, std::span<double> z) const {
  if (held() == 0) return;
  ShortList list(count()), rates(static_cast<std::size_t>(states_));
  const std::span<double> tau = list, z_dot = rates;
  const Instant law = of_law(at);
  control(law, tau);
  law_rate(law, tau, z_dot);
  for (std::size_t i = 0; i < count(); ++i) z[i] = std::clamp(tau[i], -joints_.limit[i], joints_.limit[i]);
  for (std::size_t i = 0; i < z_dot.size(); ++i) z[count() + i] += joints_.period * z_dot[i];
}

void Controller::initial_states(std::span<double> z) const {
  std::fill(z.begin(), z.end(), 0.0);
  law_start(z.subspan(static_cast<std::size_t>(held())));
}

void Controller::rate(const Instant& at, std::span<double> z_dot) const {
  std::fill(z_dot.begin(), z_dot.end(), 0.0);
  if (held() > 0 || states_ == 0) return;
  ShortList list(count());
  const std::span<double> tau = list;
  control(at, tau);
  law_rate(at, tau, z_dot);
}

}  // namespace cardan

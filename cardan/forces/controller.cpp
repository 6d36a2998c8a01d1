#include "cardan/forces/controller.hpp"

#include "cardan/forces/displaced_instant.hpp"
#include "cardan/forces/internal/short_list.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

void Controller::add_tangent(const Instant& at, Tangent& tangent) const {
  if (held() > 0) return;  // it does not change with the state
  if (!has_derivatives()) return Force::add_tangent(at, tangent);
  detail::add_dual_tangent(at, touches(), tangent,
                           [&](const DualInstant& there, DualPushes& pushes) { add_dual(at, there, pushes); });
}

void Controller::add_dual(const Instant&, const DualInstant& at, DualPushes& pushes) const {
  std::vector<Dual8> tau(count());
  if (held() > 0) {
    std::copy_n(at.z.data(), held(), tau.begin());
  } else {
    control_dual(of_law(at), tau);
    limit<Dual8>(tau);
  }
  for (std::size_t i = 0; i < count(); ++i) pushes.velocity(joints_.velocities[i]) += tau[i];
}

template <class T>
void Controller::limit(std::span<T> tau) const {
  for (std::size_t i = 0; i < count(); ++i) {
    const double most = joints_.limit[i];
    if (!std::isfinite(most)) continue;
    const T above = select_less(T(most), tau[i], T(most), tau[i]);
    tau[i] = select_less(above, T(-most), T(-most), above);
  }
}

void Controller::rate_dual(const Instant&, const DualInstant& at, std::span<Dual8> z_dot) const {
  std::fill(z_dot.begin(), z_dot.end(), Dual8(0.0));
  if (held() > 0 || states_ == 0) return;
  std::vector<Dual8> tau(count());
  control_dual(at, tau);
  law_rate_dual(at, tau, z_dot);
}

void Controller::sample_dual(const DualInstant& at, std::span<Dual8> z) const {
  if (held() == 0) return;
  std::vector<Dual8> tau(count()), z_dot(static_cast<std::size_t>(states_));
  const DualInstant law = of_law(at);
  control_dual(law, tau);
  law_rate_dual(law, tau, z_dot);
  limit<Dual8>(tau);
  std::copy(tau.begin(), tau.end(), z.begin());
  for (std::size_t i = 0; i < z_dot.size(); ++i) z[count() + i] += Dual8(joints_.period) * z_dot[i];
}

std::string Controller::beyond_code() const {
  if (held() > 0) return "it looks only now and then";
  return has_derivatives() ? "" : "its law is a function of the program's own";
}

void Controller::add_symbolic(const SymbolicInstant& at, SymbolicPushes& pushes) const {
  if (held() > 0) return Force::add_symbolic(at, pushes);
  std::vector<Expr> tau(count());
  control_symbolic(at, tau);
  limit<Expr>(tau);
  for (std::size_t i = 0; i < count(); ++i) pushes.velocity(joints_.velocities[i]) += tau[i];
}

void Controller::rate_symbolic(const SymbolicInstant& at, std::span<Expr> z_dot) const {
  if (z_dot.empty()) return;
  std::vector<Expr> tau(count());
  control_symbolic(at, tau);
  law_rate_symbolic(at, tau, z_dot);
}

void Controller::control_symbolic(const SymbolicInstant&, std::span<Expr>) const {
  throw std::logic_error(name() + ": cannot be recorded, " + beyond_code());
}

void Controller::law_rate_symbolic(const SymbolicInstant& at, std::span<const Expr>, std::span<Expr> z_dot) const {
  if (!z_dot.empty()) control_symbolic(at, {});
}

void Controller::control_dual(const DualInstant&, std::span<Dual8>) const {
  throw std::logic_error(name() + ": its law is a function of the program's own and has no derivatives");
}

void Controller::law_rate_dual(const DualInstant& at, std::span<const Dual8>, std::span<Dual8> z_dot) const {
  if (!z_dot.empty()) control_dual(at, {});
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

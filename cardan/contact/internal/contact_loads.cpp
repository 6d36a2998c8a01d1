#include "cardan/contact/internal/contact_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cardan {

ContactLoads::ContactLoads(RecursiveProblem& mechanism, double touch)
    : mechanism_(mechanism),
      flow_(mechanism),
      touch_(touch),
      wrenches_(static_cast<std::size_t>(mechanism.model().bodies()) + 1) {}

void ContactLoads::solve(double t, const State& state) {
  constexpr ContactModes::Limits kSlow{1e-5, 1e-6};  // m/s: stepping leaves the residual of its laws
  if (!flow_.move_to(t, state))
    throw std::runtime_error(fmt::format("simulate: t = {:.6g}: the mass matrix is singular", t));
  flow_.modes().gather(touch_, flow_.units());
  const ContactModes::Selection selection = flow_.modes().select(flow_.units(), kSlow);
  if (!selection.solved)
    throw std::runtime_error(
        fmt::format("simulate: t = {:.6g}: {}: no accelerations obey all laws of contact, so that records of "
                    "accelerations and forces of joints do not exist there",
                    t, selection.worst));
}

void ContactLoads::acceleration(double t, const State& state, Out<double> a) {
  solve(t, state);
  for (int i = 0; i < a.size(); ++i) a[i] = flow_.modes().acceleration()[i];
}

void ContactLoads::loads(double t, const State& state, Loads& out) {
  solve(t, state);
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  flow_.modes().add_wrenches(flow_.units(), wrenches_);
  const Eigen::VectorXd& a = flow_.modes().acceleration();
  mechanism_.loads({t, state}, In<double>(a.data(), static_cast<int>(a.size())), flow_.modes().multipliers(), wrenches_,
                   out);
}

}  // namespace cardan

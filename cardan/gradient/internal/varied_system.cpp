#include "cardan/gradient/internal/varied_system.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

VariedSystem::VariedSystem(Scene scene)
    : scene_(std::move(scene)),
      workspace_(System(scene_)),
      recorder_(workspace_, scene_.records),
      start_(workspace_.begin(scene_.settings.start, scene_.initial)) {}

Eigen::VectorXd VariedSystem::columns(double t, const State& state) {
  const Energy energy = workspace_.energy(state, t);
  const std::span<const double> recorded = recorder_(t, state, energy);
  const std::size_t n = 1 + state.q.size() + state.v.size() + 3 + recorded.size();
  Eigen::VectorXd out(static_cast<Eigen::Index>(n));
  double* to = out.data();
  *to++ = t;
  to = std::copy(state.q.begin(), state.q.end(), to);
  to = std::copy(state.v.begin(), state.v.end(), to);
  for (const double part : {energy.total(), energy.kinetic, energy.potential}) *to++ = part;
  std::copy(recorded.begin(), recorded.end(), to);
  return out;
}

double unit_of(double value) { return value != 0.0 ? std::abs(value) : 1.0; }

}  // namespace cardan

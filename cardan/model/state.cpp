#include "cardan/model/state.hpp"

#include <cmath>
#include <numbers>

namespace cardan {

void normalize(const Model& model, State& state) {
  for (int i = 1; i <= model.bodies(); ++i) {
    double *q = state.q.data() + model.link(i).q, *v = state.v.data() + model.link(i).v;
    model.joint(i).normalize(q);
    model.joint(i).reparameterize(q, v, std::numbers::pi);
  }
}

std::optional<double> normalize_quaternions(const Joint& joint, double* q) {
  constexpr double kTolerance = 1e-6;
  const std::vector<double> given(q, q + joint.nq());
  const double length = joint.normalize(q);
  if (std::abs(length - 1.0) <= kTolerance) return std::nullopt;
  std::copy(given.begin(), given.end(), q);
  return length;
}

}  // namespace cardan

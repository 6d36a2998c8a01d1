#include "cardan/model/state.hpp"

#include <cmath>

namespace cardan {

namespace {

void normalize_joint(const Joint& joint, double* q, double* v) {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
          const Quaternion<double> unit = quaternion_normalize(Quaternion<double>{q[0], q[1], q[2], q[3]});
          for (int i = 0; i < 4; ++i) q[i] = unit[i];
        } else if constexpr (std::same_as<J, SphericalExponential>) {
          j.reparameterize(q, v);
        } else if constexpr (std::same_as<J, Composite>) {
          for (const Joint& part : j.joints) {
            normalize_joint(part, q, v);
            q += part.nq();
            v += part.nv();
          }
        }
      },
      joint.type);
}

}  // namespace

void normalize(const Model& model, State& state) {
  for (int i = 1; i <= model.bodies(); ++i)
    normalize_joint(model.joint(i), state.q.data() + model.link(i).q, state.v.data() + model.link(i).v);
}

std::optional<double> normalize_quaternions(const Joint& joint, double* q) {
  constexpr double tolerance = 1e-6;
  if (const auto* composite = std::get_if<Composite>(&joint.type)) {
    for (const Joint& part : composite->joints) {
      if (const auto length = normalize_quaternions(part, q)) return length;
      q += part.nq();
    }
    return std::nullopt;
  }
  if (!std::holds_alternative<Spherical>(joint.type) && !std::holds_alternative<Free>(joint.type)) return std::nullopt;
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(std::abs(length - 1.0) <= tolerance)) return length;
  for (int k = 0; k < 4; ++k) q[k] /= length;
  return std::nullopt;
}

}  // namespace cardan

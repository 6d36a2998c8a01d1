#include "cardan/model/state.hpp"

namespace cardan {

namespace {

void normalise_joint(const Joint& joint, double* q, double* v) {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
          const Quaternion<double> unit = quaternion_normalise(Quaternion<double>{q[0], q[1], q[2], q[3]});
          for (int i = 0; i < 4; ++i) q[i] = unit[i];
        } else if constexpr (std::same_as<J, SphericalExponential>) {
          j.reparameterise(q, v);
        } else if constexpr (std::same_as<J, Composite>) {
          for (const Joint& part : j.joints) {
            normalise_joint(part, q, v);
            q += part.nq();
            v += part.nv();
          }
        }
      },
      joint.type);
}

}  // namespace

void normalise(const Model& model, State& state) {
  for (int i = 1; i <= model.bodies(); ++i)
    normalise_joint(model.joint(i), state.q.data() + model.link(i).q, state.v.data() + model.link(i).v);
}

}  // namespace cardan

#include "cardan/dynamics/model_space.hpp"

#include "cardan/math/dual.hpp"

#include <algorithm>

namespace cardan {

ModelSpace::ModelSpace(const Model& model, int first_order_states) : model_(model), nz_(first_order_states) {
  for (int i = 1; i <= model.bodies(); ++i) {
    const Link& link = model.link(i);
    for_each_part(model.joint(i), 0, 0, [&]<class J>(const J&, int, int) {
      if (std::same_as<J, SphericalExponential> && (rotation_vectors_.empty() || rotation_vectors_.back() != i))
        rotation_vectors_.push_back(i);
    });
    if (!model.joint(i).is_flat()) {
      groups_.push_back(i);
    } else if (!flat_.empty() && flat_.back().q + flat_.back().n == link.q &&
               flat_.back().v + flat_.back().n == link.v) {
      flat_.back().n += link.nv;
    } else {
      flat_.push_back({link.q, link.v, link.nv});
    }
  }
}

void ModelSpace::move(const double* q, const double* x, double* out) const {
  each(
      [&](const FlatRange& r) {
        for (int i = 0; i < r.n; ++i) out[r.q + i] = q[r.q + i] + x[r.v + i];
      },
      [&](const Joint& joint, const Link& link) { joint.integrate(q + link.q, x + link.v, 1.0, out + link.q); });
}

void ModelSpace::difference(const double* q0, const double* q1, double* x) const {
  each(
      [&](const FlatRange& r) {
        for (int i = 0; i < r.n; ++i) x[r.v + i] = q1[r.q + i] - q0[r.q + i];
      },
      [&](const Joint& joint, const Link& link) { joint.difference(q0 + link.q, q1 + link.q, x + link.v); });
}

void ModelSpace::increment_rate(const double* x, const double* v, double* rate) const {
  each([&](const FlatRange& r) { std::copy_n(v + r.v, r.n, rate + r.v); },
       [&](const Joint& joint, const Link& link) { joint.increment_rate(x + link.v, v + link.v, rate + link.v); });
}

void ModelSpace::increment_velocity(const double* x, const double* rate, double* v) const {
  each([&](const FlatRange& r) { std::copy_n(rate + r.v, r.n, v + r.v); },
       [&](const Joint& joint, const Link& link) { joint.increment_velocity(x + link.v, rate + link.v, v + link.v); });
}

void ModelSpace::increment_velocity_derivative(const double* x, const double* u, double* out) const {
  const int n = model_.nv();
  std::fill_n(out, n * n, 0.0);
  for (const int body : groups_)
    for_each_part(model_.joint(body), 0, model_.link(body).v, [&]<class J>(const J&, int, int v) {
      if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
        Dual8 moved[J::nv], rate[J::nv], velocity[J::nv];
        for (int i = 0; i < J::nv; ++i) {
          moved[i] = Dual8(x[v + i]);
          moved[i].d[i] = 1.0;
          rate[i] = Dual8(u[v + i]);
        }
        J::increment_velocity(moved, rate, velocity);
        for (int column = 0; column < J::nv; ++column)
          for (int row = 0; row < J::nv; ++row) out[(v + column) * n + v + row] = velocity[row].d[column];
      }
    });
}

void ModelSpace::coordinate_rate(const double* q, const double* v, double* rate) const {
  each([&](const FlatRange& r) { std::copy_n(v + r.v, r.n, rate + r.q); },
       [&](const Joint& joint, const Link& link) { joint.coordinate_rate(q + link.q, v + link.v, rate + link.q); });
}

void ModelSpace::normalize(double* q) const {
  for (const int body : groups_) model_.joint(body).normalize(q + model_.link(body).q);
}

bool ModelSpace::reparameterize(State& state) const {
  bool any = false;
  for (const int i : rotation_vectors_)
    any |= model_.joint(i).reparameterize(state.q.data() + model_.link(i).q, state.v.data() + model_.link(i).v);
  return any;
}

std::string ModelSpace::name_of_coordinate(int i) const {
  int body = 1;
  while (body < model_.bodies() && model_.link(body).q + model_.link(body).nq <= i) ++body;
  return model_.joint_name(body);
}

}  // namespace cardan

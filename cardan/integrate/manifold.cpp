#include "cardan/integrate/manifold.hpp"

#include "cardan/spatial/se3.hpp"

namespace cardan {

namespace {

/// f(type, first coordinate, first velocity, velocities) for the joint, or for each of its parts.
template <class F>
void visit_parts(const Joint& joint, int q, int v, const F& f) {
  std::visit(
      [&]<class J>(const J& j) {
        if constexpr (std::same_as<J, Composite>) {
          for (const Joint& part : j.joints) {
            visit_parts(part, q, v, f);
            q += part.nq();
            v += part.nv();
          }
        } else {
          f(j, q, v, joint.nv());
        }
      },
      joint.type);
}

template <class F>
void visit_parts(const Model& model, const F& f) {
  for (int i = 1; i <= model.bodies(); ++i) visit_parts(model.joint(i), model.link(i).q, model.link(i).v, f);
}

Vec3<double> three(const double* x) { return {x[0], x[1], x[2]}; }

/// out = [A 0; B A] (v, v + 3).
void multiply(const Mat3<double>& A, const Mat3<double>& B, const double* v, double* out) {
  const Vec3<double> angular = three(v), linear = A * three(v + 3) + B * angular, turned = A * angular;
  for (int i = 0; i < 3; ++i) {
    out[i] = turned[i];
    out[3 + i] = linear[i];
  }
}
void multiply(const Mat3<double>& A, const double* v, double* out) {
  const Vec3<double> turned = A * three(v);
  for (int i = 0; i < 3; ++i) out[i] = turned[i];
}

}  // namespace

void increment_rate(const Model& model, const double* x, const double* v, double* rate) {
  visit_parts(model, [&]<class J>(const J&, int, int i, int n) {
    if constexpr (std::same_as<J, Spherical>) {
      multiply(tangent_so3_inverse(three(x + i)), v + i, rate + i);
    } else if constexpr (std::same_as<J, Free>) {
      multiply(tangent_so3_inverse(three(x + i)), tangent_so3_inverse_rate(three(x + i), three(x + i + 3)), v + i,
               rate + i);
    } else {
      for (int k = i; k < i + n; ++k) rate[k] = v[k];
    }
  });
}

void increment_velocity(const Model& model, const double* x, const double* rate, double* v) {
  visit_parts(model, [&]<class J>(const J&, int, int i, int n) {
    if constexpr (std::same_as<J, Spherical>) {
      multiply(tangent_so3(three(x + i)), rate + i, v + i);
    } else if constexpr (std::same_as<J, Free>) {
      multiply(tangent_so3(three(x + i)), tangent_so3_rate(three(x + i), three(x + i + 3)), rate + i, v + i);
    } else {
      for (int k = i; k < i + n; ++k) v[k] = rate[k];
    }
  });
}

void coordinate_rate(const Model& model, const double* q, const double* v, double* rate) {
  visit_parts(model, [&]<class J>(const J&, int first, int i, int n) {
    if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
      const Quaternion<double> orientation{q[first], q[first + 1], q[first + 2], q[first + 3]};
      const Quaternion<double> turning{0.0, 0.5 * v[i], 0.5 * v[i + 1], 0.5 * v[i + 2]};
      const Quaternion<double> product = quaternion_product(orientation, turning);
      for (int k = 0; k < 4; ++k) rate[first + k] = product[k];
      if constexpr (std::same_as<J, Free>) multiply(quaternion_to_matrix(orientation), v + i + 3, rate + first + 4);
    } else {
      for (int k = 0; k < n; ++k) rate[first + k] = v[i + k];
    }
  });
}

void normalize_quaternions(const Model& model, double* q) {
  visit_parts(model, [&]<class J>(const J&, int first, int, int) {
    if constexpr (std::same_as<J, Spherical> || std::same_as<J, Free>) {
      const Quaternion<double> unit =
          quaternion_normalize(Quaternion<double>{q[first], q[first + 1], q[first + 2], q[first + 3]});
      for (int k = 0; k < 4; ++k) q[first + k] = unit[k];
    }
  });
}

bool shorten_rotation_vectors(const Model& model, State& state) {
  bool any = false;
  visit_parts(model, [&]<class J>(const J& joint, int first, int i, int) {
    if constexpr (std::same_as<J, SphericalExponential>) {
      double* const q = state.q.data() + first;
      if (norm(three(q)) <= std::numbers::pi) return;
      joint.reparameterize(q, state.v.data() + i);
      any = true;
    }
  });
  return any;
}

}  // namespace cardan

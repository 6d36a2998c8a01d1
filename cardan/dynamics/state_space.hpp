// Where the states of a problem live: coordinates on a manifold, velocities in its tangent space, and plain first-order
// states. Integrators know nothing else of a mechanism. Near q0 a configuration is q = q0 moved by x, an increment with
// one entry for each velocity; then v = T(x) dx/dt with the tangent operator T.
#pragma once

#include "cardan/model/state.hpp"

#include <string>

namespace cardan {

struct Sizes {
  int q = 0, v = 0, z = 0;
};

class StateSpace {
 public:
  virtual ~StateSpace() = default;

  virtual Sizes sizes() const = 0;
  /// True if the tangent operator T is the identity everywhere.
  virtual bool is_flat() const = 0;
  /// True if moreover coordinates are plain numbers, one for each velocity in the same order, and moving is adding:
  /// what integrators then need not ask for again and again.
  virtual bool moves_by_adding() const { return false; }
  /// out = q moved by x; out may be q.
  virtual void move(const double* q, const double* x, double* out) const = 0;
  /// x = the increment that leads from q0 to q1.
  virtual void difference(const double* q0, const double* q1, double* x) const = 0;
  /// rate = T(x)^-1 v: how fast the increment grows. rate may be v.
  virtual void increment_rate(const double* x, const double* v, double* rate) const = 0;
  /// v = T(x) rate. v may be rate.
  virtual void increment_velocity(const double* x, const double* rate, double* v) const = 0;
  /// Sets d(T(x) u)/dx at constant u, n x n by columns; not asked for where the space is flat.
  virtual void increment_velocity_derivative(const double* x, const double* u, double* out) const = 0;
  /// dq/dt of the coordinates themselves: quaternion rates, for instance.
  virtual void coordinate_rate(const double* q, const double* v, double* rate) const = 0;
  /// Scales every quaternion in q to length one.
  virtual void normalize(double* q) const = 0;

  /// For messages: what coordinate or velocity i belongs to, such as a joint's name.
  virtual std::string name_of_coordinate(int i) const = 0;
  virtual std::string name_of_velocity(int i) const = 0;

  /// A state of the right sizes, all zero (quaternions too).
  State zero_state() const {
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    State out;
    out.q.resize(count(sizes().q));
    out.v.resize(count(sizes().v));
    out.z.resize(count(sizes().z));
    return out;
  }
};

}  // namespace cardan

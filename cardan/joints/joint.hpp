// The joint library as one type. A joint type is a small struct with nq, nv, operator()(q, v) -> JointKinematics,
// integrate, difference and neutral; this file only lists the types.
#pragma once

#include "cardan/joints/cylindrical.hpp"
#include "cardan/joints/expression.hpp"
#include "cardan/joints/fixed.hpp"
#include "cardan/joints/free.hpp"
#include "cardan/joints/free_planar.hpp"
#include "cardan/joints/helical.hpp"
#include "cardan/joints/planar.hpp"
#include "cardan/joints/prismatic.hpp"
#include "cardan/joints/revolute.hpp"
#include "cardan/joints/spherical_euler.hpp"
#include "cardan/joints/spherical_exponential.hpp"
#include "cardan/joints/translational.hpp"
#include "cardan/joints/universal.hpp"

#include <concepts>
#include <optional>
#include <variant>
#include <vector>

namespace cardan {

/// What the common joint tester and the model ask of a joint type with a fixed number of coordinates.
template <class J>
concept JointType = requires(const J joint, Coordinates<double> q, Vector<double, J::nv> v, double* out) {
  { J::name } -> std::convertible_to<const char*>;
  { joint(q, v) } -> std::same_as<JointKinematics<double, J::nv>>;
  joint.integrate(q.q, q.q, 0.0, out);
  joint.difference(q.q, q.q, out);
  joint.neutral(out);
};

struct Joint;

/// Joints one after the other, the next on the moving frame of the one before: q and v are theirs in turn. At most
/// six degrees of freedom. Singular where its joints together lose a direction.
struct Composite {
  static constexpr const char* name = "composite";
  std::vector<Joint> joints;

  Composite() = default;
  explicit Composite(std::vector<Joint> parts);
  int nq() const;
  int nv() const;
  template <class T, int N>
  JointKinematics<T, N> kinematics(Coordinates<T> q, const Vector<T, N>& v) const;
};

/// Types that learn their number of coordinates when they are made.
template <class J>
concept SizedAtRunTime = requires(const J joint) {
  { joint.nq() } -> std::same_as<int>;
};

/// Any joint. `reversed` swaps predecessor and successor (Table 4.2): the coordinates keep their meaning, the pose
/// is that of the predecessor in the successor.
struct Joint {
  std::variant<Fixed, Revolute, Prismatic, Helical, Cylindrical, Universal, Planar, Translational, Spherical,
               SphericalEuler, SphericalExponential, Free, FreePlanar, Composite, ExpressionJoint>
      type;
  bool reversed = false;

  Joint() = default;
  template <class J>
    requires requires { std::remove_cvref_t<J>::name; }
  Joint(J joint) : type(std::move(joint)) {}

  const char* type_name() const {
    return std::visit(
        []<class J>(const J& j) {
          if constexpr (std::same_as<J, ExpressionJoint>)
            return j.kind();
          else
            return J::name;
        },
        type);
  }
  int nq() const;
  int nv() const;

  /// Pose, S and c_J; N must be nv().
  template <class T, int N>
  JointKinematics<T, N> kinematics(const Coordinates<T>& q, const Vector<T, N>& v) const;
  /// q moved by h v on the joint's own manifold.
  template <class T>
  void integrate(const T* q, const T* v, const T& h, T* out) const;
  template <class T>
  void difference(const T* q0, const T* q1, T* v) const;
  void neutral(double* q) const;

  // The joint's manifold. Near q0 a configuration is q = integrate(q0, x, 1) for an increment x with one entry for each
  // velocity, and v = T(x) dx/dt with the tangent operator T of the joint's group: SO(3) for a ball joint, SE(3) for a
  // free one, the identity for coordinates that are rates.

  /// True if velocities are the rates of coordinates, so that moving is adding.
  bool is_flat() const;
  /// Computes how fast the increment x grows: T(x)^-1 v. `rate` may be v.
  void increment_rate(const double* x, const double* v, double* rate) const;
  /// Computes the velocity T(x) rate. `v` may be rate.
  void increment_velocity(const double* x, const double* rate, double* v) const;
  /// Computes dq/dt of the coordinates themselves.
  void coordinate_rate(const double* q, const double* v, double* rate) const;
  /// Scales quaternions to length one; returns the length that was farthest from it.
  double normalize(double* q) const;

  /// Rewrites q and v in better coordinates of the same chart where they come near a singularity: rotation vectors are
  /// shortened once they are longer than `longest`. True if anything changed; no frame moves.
  bool reparameterize(double* q, double* v, double longest = SphericalExponential::kLongest) const;
  /// True if its type, or that of one of its parts, has other charts.
  bool has_charts() const;
  /// Returns the same motion by other coordinates (Euler angles in another order, a sphere with other poles) where the
  /// present ones come near their lock; nothing where they do not, or where there is no other way.
  std::optional<Joint> other_chart(const double* q) const;
  /// Rewrites q and v of this joint in the coordinates of another chart of it.
  void change_chart(const Joint& to, double* q, double* v) const;
  /// Rewrites q and v as the same motion by coordinates that go on from those before: Euler angles count their turns.
  void continue_from(const double* before, double* q, double* v) const;
};

/// Calls f(type, q, v) with the first coordinate and velocity of the joint, or of each of its parts.
template <class F>
void for_each_part(const Joint& joint, int q, int v, const F& f);

}  // namespace cardan

#include "cardan/joints/composite.hpp"

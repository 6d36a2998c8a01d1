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
};

}  // namespace cardan

#include "cardan/joints/composite.hpp"

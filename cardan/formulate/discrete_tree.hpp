// The discrete mechanics of a tree over one step: what a variational integrator solves (Lee, Liu, Park and Srinivasa,
// "A linear-time variational integrator for multibody systems", with the attitude by the logarithm of SO(3), the center
// of mass along a straight line, and the exact Jacobian).
//
// Between q0 and q1 = q0 moved by x, body i makes the motion f with the rotation F = exp(phi), and its center of mass
// the displacement d, both in its frame at q0. With the discrete Lagrangian
//   L_d = sum of (phi' I_c phi + m d'd) / 2h - h/2 (U(q0) + U(q1))
// it has at q0 the momentum m_L = (n + c x l, l), l = m d / h, n = dexp^-T(phi) I_c phi / h, and at q1 that of the same
// motion seen in its new frame, m_R. The step is the solution of
//   S(q0)' [m_L] = p0 + h/2 f(q0),  and it ends with  p1 = S(q1)' [m_R] + h/2 f(q1),  p = H v,
// where S'[] adds up along the tree. Only poses and motion subspaces are needed: no S_dot, no velocity products.
#pragma once

#include "cardan/algorithms/kinematics.hpp"
#include "cardan/model/workspace.hpp"

#include <Eigen/Dense>

#include <vector>

namespace cardan {

class DiscreteTree {
 public:
  explicit DiscreteTree(const Model& model);

  const Model& model() const { return model_; }

  /// Joints that move as they are told: no equation, no unknown. By body.
  void set_driven(std::vector<bool> driven) { driven_ = std::move(driven); }

  /// Sets the start of the step; gravity is evaluated here.
  void start(In<double> q0, In<double> v0);
  /// Evaluates the motions of all bodies that lead to q1 = q0 moved by x in time h. False where a body turns by half a
  /// revolution or more, or a pose is not finite.
  [[nodiscard]] bool move(In<double> q1, In<double> x, double h);

  /// r = S(q0)' [m_L - momentum at the start - h/2 gravity] + (armature x / h - armature v0).
  void residual(In<double> x, double h, Out<double> r) const;
  /// p = S(q1)' [m_R + h/2 gravity] + armature x / h.
  void end_momentum(In<double> x, double h, Out<double> p);

  /// Factorizes dr/dx (in the tangent space at q1) plus a diagonal, in linear time: an articulated-body recursion with
  /// different factors on its two sides, since S and X are those of q0 on the left and of q1 on the right.
  void factorize(double h, In<double> diagonal);
  /// Factorizes H at q1 instead.
  void factorize_inertia();
  /// Solves for dx, one sweep to the root and one back; zero at driven joints.
  void solve(In<double> r, Out<double> dx);
  /// out = H v at q1, from the momenta of the bodies.
  void momentum(In<double> v, Out<double> out);

 private:
  using Vector3 = Eigen::Vector3d;
  using Matrix3 = Eigen::Matrix3d;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Columns = Eigen::Matrix<double, 6, 6>;  // the first nv of them

  /// What never changes.
  struct Body {
    int parent = 0, v = 0, nv = 0;
    bool moves_by_exp = false;  // q1 is q0 times exp(S x), S constant: no rounding of a difference
    double mass = 0.0;
    Vector3 c = Vector3::Zero();   // center of mass
    Matrix3 Ic = Matrix3::Zero();  // inertia about it
    Matrix6 I = Matrix6::Zero();   // about the body's origin
  };
  /// A joint's pose as X, and its subspace.
  struct Place {
    Matrix3 E = Matrix3::Identity();
    Vector3 r = Vector3::Zero();
    Columns S;

    Vector6 motion(const Vector6& m) const;           // X m
    Vector6 force_to_parent(const Vector6& f) const;  // X' f
  };
  /// A body's motion over the step, less the identity.
  struct Step {
    Matrix3 E = Matrix3::Zero();
    Vector3 p = Vector3::Zero();
    Vector3 phi = Vector3::Zero();
    Vector3 n = Vector3::Zero(), l = Vector3::Zero();  // momenta about the center of mass
  };
  /// Of the factorization, for each joint.
  struct Pivot {
    Columns U, V;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> D_inv;
  };

  static void set_places(const Model& model, const Kinematics<double>& k, std::vector<Place>& out);
  void add_gravity(const Kinematics<double>& k, std::vector<Vector6>& wrench, double factor) const;
  /// out = S'[wrench], which is used up.
  void project(const std::vector<Place>& at, std::vector<Vector6>& wrench, Out<double> out) const;
  /// d m_L by a small motion of the body at q1.
  Matrix6 momentum_tangent(const Body& body, const Step& step, double h) const;
  /// The recursion: `inertia` holds N of every body and is used up.
  void factorize(const std::vector<Place>& left, const std::vector<Place>& right, const double* diagonal);

  std::size_t count() const { return bodies_.size(); }

  Model model_;
  std::vector<Body> bodies_;  // entry 0 is the world, here and below
  std::vector<bool> driven_;
  Workspace<double> workspace_;
  Kinematics<double> kinematics_;
  Kinematics<double> start_;
  std::vector<double> v0_;
  std::vector<Place> at0_, at1_;
  std::vector<Step> steps_;
  std::vector<Pivot> pivots_;
  std::vector<Vector6> momentum0_, gravity0_;
  mutable std::vector<Vector6> scratch_;
  std::vector<Vector6> motion_;
  std::vector<Matrix6> inertia_;
  const std::vector<Place>*left_ = nullptr, *right_ = nullptr;  // of the factorization
};

}  // namespace cardan

// Stiffness and damping of forces in joint coordinates. A force gives K and D between bodies; with J_i the Jacobian of
// body i in its own coordinates and w_i the wrench on it, tau = sum of J_i' w_i and
//   d tau/dq = J' K J + J' D d(J v)/dq + d(J' w)/dq at constant w,   d tau/dv = J' D J.
// Columns are found eight at a time: one pass over the tree on dual numbers gives how bodies and their velocities move,
// another one takes the changed wrenches to the joints. Nothing of size bodies x velocities is formed but for the
// bodies that forces touch. Definite: only J' K J and J' D J, with negative semidefinite K and D.
#pragma once

#include "cardan/forces/force.hpp"

#include <Eigen/Dense>

#include <memory>

namespace cardan {

class ForceTangent {
 public:
  ForceTangent(const Model& model, const Forces& forces);
  ~ForceTangent();
  ForceTangent(const ForceTangent&) = delete;
  ForceTangent& operator=(const ForceTangent&) = delete;

  enum class Kind { exact, definite };
  /// Adds d tau/dq (in the tangent space) to K and d tau/dv to D; null: not wanted. first_state[i]: where the states of
  /// the i-th force begin in z.
  void add(const Instant& at, std::span<const int> first_state, Eigen::MatrixXd* K, Eigen::MatrixXd* D,
           Kind kind = Kind::exact);

 private:
  struct Scratch;
  Model model_;
  Forces forces_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace cardan

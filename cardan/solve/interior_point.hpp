// Interior point for a LawProblem: a starter for the proximal method, which finishes. In the scaled variables
// z = (lambda_n, lambda_t / mu) and w = (u_n + |mu u_t|, mu u_t) Coulomb's law is complementarity on the Lorentz cone
// (de Saxce), limits are cones of one dimension, balls are cones z = (radius, lambda), w = (s, u) with s free. Newton
// on
//   M (v - v_free) = J' lambda,  w = F(v),  z o w = sigma m e
// with Nesterov and Todorov's scaling and Mehrotra's predictor and corrector; equality rows stay exact, compliant
// rows are started as rigid ones.
#pragma once

#include "cardan/solve/newton_matrix.hpp"

namespace cardan {

struct InteriorPointOptions {
  int iterations = 40;
  double tolerance = 1e-5;         // of the certificate [m/s]
  bool shift_slope = true;         // the shift |mu u_t| enters the matrix, and so do loads
  bool constrained_scale = false;  // start from d with the equality rows held
};

class InteriorPoint {
 public:
  /// Finds multipliers from scratch with a matrix that attends to the laws; the best are left in `lambda`. Returns
  /// their certificate [m/s].
  double run(const PreparedLaws& laws, const InteriorPointOptions& options, NewtonMatrix& matrix, Multipliers& lambda);
  int factorizations() const { return factorizations_; }

 private:
  /// A cone, its point and what Newton's method needs of it. One that never binds (size 0) belongs to an equality.
  struct Cone {
    int size = 0;  // 1 or 1 + the tangents or rows of a ball
    bool ball = false;
    Eigen::Vector4d z = Eigen::Vector4d::Zero(), w = Eigen::Vector4d::Zero();
    Eigen::Vector4d dz = Eigen::Vector4d::Zero(), dw = Eigen::Vector4d::Zero();
    Eigen::Matrix4d W = Eigen::Matrix4d::Zero(), W_inv = Eigen::Matrix4d::Zero();
    Eigen::Vector4d s = Eigen::Vector4d::Zero();      // W z = W^-1 w
    Eigen::Vector4d a = Eigen::Vector4d::Zero();      // W^-1 c: the right side
    Eigen::Vector4d rp = Eigen::Vector4d::Zero();     // F(v) - w
    Eigen::Matrix4d T = Eigen::Matrix4d::Identity();  // dw by the scaled row velocities
    double radius_gap = 0.0;                          // of a ball: its radius less z_0
    double radius_change = 0.0;                       // of the radius by constant parts of other blocks
  };
  void start();
  void scale(Cone& cone) const;
  /// The row velocity in the scaled variables, and multipliers from z.
  Eigen::Vector4d scaled_velocity(std::size_t block) const;
  void multipliers(Multipliers& out) const;
  void set_gaps();
  void linearize();
  void find_direction(double target, bool corrector);
  double longest_step() const;
  double complementarity(double length) const;

  const PreparedLaws* laws_ = nullptr;
  const InteriorPointOptions* options_ = nullptr;
  std::vector<Cone> cones_;
  int count_ = 0;
  Eigen::VectorXd v_, lambda_w_, dv_, dlambda_w_, x_, scratch_;
  Multipliers now_, constant_;
  NewtonMatrix* matrix_ = nullptr;
  int factorizations_ = 0;
};

}  // namespace cardan

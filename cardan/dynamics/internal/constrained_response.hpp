// Solves H x - J' y = f, J x = r for x, many columns at once; rows may repeat one another.
#pragma once

#include "cardan/math/orthogonal.hpp"

#include <Eigen/Dense>

namespace cardan {

class ConstrainedResponse {
 public:
  ConstrainedResponse(const Eigen::MatrixXd& H, const Eigen::MatrixXd& J);

  Eigen::MatrixXd operator()(const Eigen::MatrixXd& f, const Eigen::MatrixXd& r) const;
  /// With no rows to follow.
  Eigen::MatrixXd operator()(const Eigen::MatrixXd& f) const { return (*this)(f, Eigen::MatrixXd::Zero(m_, f.cols())); }

 private:
  Eigen::Index n_, m_;
  bool is_definite_;
  Eigen::LLT<Eigen::MatrixXd> inertia_;
  Eigen::MatrixXd J_, answer_;  // answer_: H^-1 J'
  Orthogonal rows_;             // of J H^-1 J'
  Orthogonal all_;              // of both equations, where H alone is singular: massless bodies in loops
};

}  // namespace cardan

// All coordinates of a model as functions of a few independent ones: q = gamma(y), v = G y_dot, a = G y_ddot + g.
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace cardan {

class IndependentCoordinates {
 public:
  virtual ~IndependentCoordinates() = default;

  /// Velocities that are independent, in rising order.
  const std::vector<int>& independent() const { return independent_; }
  int size() const { return static_cast<int>(independent_.size()); }
  /// Sets the dependent coordinates of q.
  virtual void close(double* q) const = 0;
  /// Computes all velocities v = G y_dot.
  virtual void expand(const double* q, const double* y_dot, double* v) const = 0;
  /// Computes all accelerations G y_ddot + g; y_ddot may be null: zero.
  virtual void expand(const double* q, const double* v, const double* y_ddot, double* a) const = 0;
  /// Computes G, nv x size().
  virtual void matrix(const double* q, Eigen::MatrixXd& G) const = 0;
  /// out = the independent entries of x, which has one for each velocity.
  void pick(const double* x, double* out) const {
    for (std::size_t i = 0; i < independent_.size(); ++i) out[i] = x[independent_[i]];
  }

 protected:
  std::vector<int> independent_;
};

}  // namespace cardan

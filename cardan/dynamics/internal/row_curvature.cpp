#include "cardan/dynamics/internal/row_curvature.hpp"

#include <algorithm>

namespace cardan {

RowCurvature::RowCurvature(const Model& model, const IndependentCoordinates& coordinates)
    : set_(model), tangent_(set_) {
  for (int v = 0; v < model.nv(); ++v)
    if (!std::binary_search(coordinates.independent().begin(), coordinates.independent().end(), v))
      dependent_.push_back(v);
}

Eigen::MatrixXd RowCurvature::answer(const Eigen::MatrixXd& right) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(J_.cols(), right.cols());
  if (!dependent_.empty()) out(dependent_, Eigen::all) = -factor_.solve(right);
  return out;
}

RowCurvature::Of RowCurvature::compute(const Point& at, In<double> a, const Eigen::VectorXd& f,
                                       const Eigen::MatrixXd& G) {
  set_.evaluate(at.t, at.q, at.v);
  J_.resize(set_.rows(), G.rows());
  set_.matrix(J_);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(set_.rows());
  if (!dependent_.empty()) {
    factor_.compute(J_(Eigen::all, dependent_));
    lambda = factor_.solve_transposed(f(dependent_));
  }
  // d(J v)/dq: that of the rows' acceleration if it were v, without velocity products
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(G.rows());
  Eigen::MatrixXd turned, pull, by_q, by_v;
  tangent_.compute(set_, {}, at.t, at.q, at_rest, at.v, lambda, {.pull_by_q = &pull, .rows_by_q = &turned});
  tangent_.compute(set_, {}, at.t, at.q, at.v, a, lambda, {.rows_by_q = &by_q, .rows_by_v = &by_v});
  Of out;
  out.v_by_q = answer(turned * G);
  out.a_by_q = answer(by_q * G + by_v * out.v_by_q);
  out.a_by_v = answer(by_v * G);
  out.pull = -G.transpose() * pull * G;
  return out;
}

}  // namespace cardan

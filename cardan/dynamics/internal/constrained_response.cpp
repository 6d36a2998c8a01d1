#include "cardan/dynamics/internal/constrained_response.hpp"

namespace cardan {

namespace {

constexpr double kSingularBelow = 1e-11;  // of the largest: below it H counts as singular

}  // namespace

ConstrainedResponse::ConstrainedResponse(const Eigen::MatrixXd& H, const Eigen::MatrixXd& J)
    : n_(H.rows()), m_(J.rows()), inertia_(H) {
  is_definite_ = inertia_.info() == Eigen::Success && (n_ == 0 || inertia_.rcond() > kSingularBelow);
  if (is_definite_) {
    J_ = J;
    if (m_ == 0) return;
    answer_ = inertia_.solve(J.transpose());
    rows_.compute(J * answer_);
    return;
  }
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n_ + m_, n_ + m_);
  all.topLeftCorner(n_, n_) = H;
  all.topRightCorner(n_, m_) = -J.transpose();
  all.bottomLeftCorner(m_, n_) = J;
  all_.compute(all);
}

Eigen::MatrixXd ConstrainedResponse::operator()(const Eigen::MatrixXd& f, const Eigen::MatrixXd& r) const {
  if (is_definite_) {
    Eigen::MatrixXd out = inertia_.solve(f);
    if (m_ > 0) out += answer_ * rows_.solve(r - J_ * out);
    return out;
  }
  Eigen::MatrixXd right(n_ + m_, f.cols());
  right.topRows(n_) = f;
  right.bottomRows(m_) = r;
  return all_.solve(right).topRows(n_);
}

}  // namespace cardan

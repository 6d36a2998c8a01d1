#include "cardan/dynamics/internal/loop_coordinates.hpp"

#include <fmt/format.h>
#include "cardan/math/orthogonal.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cardan {

LoopCoordinates::LoopCoordinates(const Model& model, const StateSpace& space, const std::vector<std::string>& joints)
    : space_(space),
      set_(model),
      zero_(static_cast<std::size_t>(model.nv())),
      x_(zero_),
      moved_(static_cast<std::size_t>(model.nq())) {
  for (const std::string& joint : joints) {
    const int body = model.find_joint(joint);
    if (body < 0)
      throw std::invalid_argument(fmt::format("independent: expected joints that move, found \"{}\"", joint));
    const Link& link = model.link(body);
    for (int v = link.v; v < link.v + link.nv; ++v) independent_.push_back(v);
    names_ += (names_.empty() ? "\"" : ", \"") + joint + "\"";
  }
  std::sort(independent_.begin(), independent_.end());
  independent_.erase(std::unique(independent_.begin(), independent_.end()), independent_.end());
  for (int v = 0; v < model.nv(); ++v)
    if (!std::binary_search(independent_.begin(), independent_.end(), v)) dependent_.push_back(v);
}

void LoopCoordinates::evaluate(const double* q, const double* v) const {
  set_.evaluate(0.0, q, v);
  J_.resize(set_.rows(), set_.model().nv());
  set_.matrix(J_);
  J_d_ = J_(Eigen::all, dependent_);
  J_i_ = J_(Eigen::all, independent_);
}

Eigen::MatrixXd LoopCoordinates::solve(const Eigen::MatrixXd& right) const {
  Orthogonal factor;
  factor.set_threshold(1e-9);
  factor.compute(J_d_);
  if (factor.rank() < J_d_.cols())
    throw std::runtime_error(fmt::format(
        "simulate: the independent coordinates {} do not determine the others here: {} of {} directions are left open "
        "(a dead point, or a freedom that none of them is)",
        names_, J_d_.cols() - factor.rank(), J_d_.cols()));
  return factor.solve(right);
}

void LoopCoordinates::close(double* q) const {
  constexpr int kIterations = 50;
  const Model& model = set_.model();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kIterations; ++i) {
    evaluate(q, zero_.data());
    const double gap = set_.gap().size() == 0 ? 0.0 : set_.gap().cwiseAbs().maxCoeff();
    if (gap < 1e-14 || (gap < 1e-11 && gap >= 0.5 * before)) return;  // rounding
    before = gap;
    Eigen::VectorXd change = solve(-set_.gap());
    const double size = change.cwiseAbs().maxCoeff();
    if (size > 0.3) change *= 0.3 / size;
    std::fill(x_.begin(), x_.end(), 0.0);
    for (std::size_t k = 0; k < dependent_.size(); ++k)
      x_[static_cast<std::size_t>(dependent_[k])] = change[static_cast<Eigen::Index>(k)];
    space_.move(q, x_.data(), moved_.data());
    std::copy_n(moved_.data(), model.nq(), q);
  }
  throw std::runtime_error(
      fmt::format("simulate: the loops cannot be closed where the independent coordinates {} are: {:.3g} m or rad are "
                  "left open",
                  names_, before));
}

void LoopCoordinates::expand(const double* q, const double* y_dot, double* v) const {
  evaluate(q, zero_.data());
  const Eigen::Map<const Eigen::VectorXd> y(y_dot, size());
  const Eigen::VectorXd rest = solve(-(J_i_ * y));
  for (std::size_t i = 0; i < independent_.size(); ++i) v[independent_[i]] = y_dot[i];
  for (std::size_t k = 0; k < dependent_.size(); ++k) v[dependent_[k]] = rest[static_cast<Eigen::Index>(k)];
}

void LoopCoordinates::expand(const double* q, const double* v, const double* y_ddot, double* a) const {
  evaluate(q, v);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size());
  if (y_ddot != nullptr) y = Eigen::Map<const Eigen::VectorXd>(y_ddot, size());
  const Eigen::VectorXd rest = solve(set_.k() - J_i_ * y);
  for (std::size_t i = 0; i < independent_.size(); ++i) a[independent_[i]] = y[static_cast<Eigen::Index>(i)];
  for (std::size_t k = 0; k < dependent_.size(); ++k) a[dependent_[k]] = rest[static_cast<Eigen::Index>(k)];
}

void LoopCoordinates::matrix(const double* q, Eigen::MatrixXd& G) const {
  evaluate(q, zero_.data());
  G.setZero(set_.model().nv(), size());
  for (std::size_t i = 0; i < independent_.size(); ++i) G(independent_[i], static_cast<Eigen::Index>(i)) = 1.0;
  const Eigen::MatrixXd rest = solve(-J_i_);
  for (std::size_t k = 0; k < dependent_.size(); ++k) G.row(dependent_[k]) = rest.row(static_cast<Eigen::Index>(k));
}

}  // namespace cardan

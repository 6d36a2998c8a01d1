// Which recorded forces the equations determine. Multipliers lambda and lambda + n give the same motion where
// J' n = 0, so a column that changes with such an n is one choice of many.
#include "cardan/math/orthogonal.hpp"
#include "cardan/simulate/recorder.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <cmath>

namespace cardan {

namespace {

/// Directions in which multipliers may change without any effect on the motion, as columns of length 1.
Eigen::MatrixXd without_effect(const ConstraintSet& set, int velocities) {
  Eigen::MatrixXd J(set.rows(), velocities);
  set.matrix(J);
  Orthogonal factor;
  factor.set_threshold(kRankTolerance);
  factor.compute(J);
  return factor.left_kernel();
}

bool is_of_constraints(const Records::OfForces& record) {
  return !std::holds_alternative<std::shared_ptr<const Force>>(record.owner) && record.quantity != ForceQuantity::work;
}

}  // namespace

std::vector<double> Recorder::forces_under(const Eigen::VectorXd& multipliers) {
  system_.loads_under(t_, state_, multipliers, loads_);
  row_.clear();
  for (const auto& entry : records_.entries())
    if (const auto* record = std::get_if<Records::OfForces>(&entry); record != nullptr && is_of_constraints(*record))
      append(*record);
  return row_;
}

std::vector<std::string> Recorder::not_unique(double t, const State& state) {
  constexpr double kEffect = 1e-7;  // of a unit multiplier: less is rounding
  if (!forces_ || system_.constraints() == nullptr || system_.constraints()->constraints().rows() == 0) return {};
  evaluate(t, state);
  const ConstraintSet& set = system_.constraints()->constraints();
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(set.rows());
  const std::vector<double> base = forces_under(none);
  const Eigen::MatrixXd N = without_effect(set, system_.model().nv());
  std::vector<bool> changes(base.size());
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    const std::vector<double> other = forces_under(N.col(k));
    for (std::size_t i = 0; i < base.size(); ++i)
      if (std::abs(other[i] - base[i]) > kEffect) changes[i] = true;
  }
  std::vector<std::string> out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < records_.entries().size(); ++i) {
    const auto* record = std::get_if<Records::OfForces>(&records_.entries()[i]);
    if (record == nullptr || !is_of_constraints(*record)) continue;
    for (const std::string& name : layout()[i].columns)
      if (changes[column++]) out.push_back(name);
  }
  return out;
}

}  // namespace cardan

// Rows of contacts with springs and dampers: lambda = -h (k gap + c0 u0 + c1 u1) with the gap's rate u0 before and u1
// after the step, and positions that move by the mean of both. The implicit midpoint rule has c0 = c1 = h k/4 + d/2.
// Chooses, where a step resolves the oscillation, c0 and c1 so that a contact alone, with m the mass that it feels,
// decays and swings as m x'' + d x' + k x = 0 does: the two eigenvalues of the step are exp(h s) of the roots s. With
// D and T their product and sum, and A = m + h c1,
//   A = h^2 k / (1 - T + D),   m - h c0 = A (D + T - 1) / 2.
// Rest is where k gap balances the load, by either rule, and both are of second order.
#include "cardan/contact/internal/step_rows.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kResolved = 1.0;             // |s| h of a step that resolves the oscillation
constexpr double kMidpointIsFine = 0.005;     // |s| h below which rounding would cost more than the rule gains
constexpr Eigen::Index kMostVelocities = 64;  // of a mass matrix that is factored for it

}  // namespace

SpringRule spring_rule(double k, double d, double m, double h) {
  const SpringRule midpoint{0.25 * h * k + 0.5 * d, 0.25 * h * k + 0.5 * d};
  const double alpha = 0.5 * d / m, square = alpha * alpha - k / m, root = std::sqrt(std::abs(square));
  const double fastest = square < 0.0 ? std::sqrt(k / m) : alpha + root;
  if (!(h * fastest < kResolved && h * fastest > kMidpointIsFine)) return midpoint;
  const double decay = std::exp(-alpha * h);
  const double T = 2.0 * decay * (square < 0.0 ? std::cos(root * h) : std::cosh(root * h)), D = decay * decay;
  const double A = h * h * k / (1.0 - T + D);
  const SpringRule exact{(m - 0.5 * A * (D + T - 1.0)) / h, (A - m) / h};
  return exact.after > 0.0 ? exact : midpoint;
}

/// Computes the mass that a contact feels along its normal, 1/(J M^-1 J'); 0 where that would take long.
double StepRows::mass_at(const ContactPoint& point, const LawProblem& problem) const {
  const LawBlock& block = problem.blocks()[static_cast<std::size_t>(point.block)];
  const auto columns = problem.columns(block);
  const auto J = problem.J(block);
  double mobility = 0.0;
  for (const LawProblem::Mass& part : problem.mass) {
    const Eigen::Index n = part.M.rows();
    Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (const int own = columns[c] - part.first; own >= 0 && own < n) row[own] = J(0, static_cast<Eigen::Index>(c));
    if (row.isZero(0.0)) continue;
    if (n > kMostVelocities) return 0.0;
    mobility += row.dot(part.M.selfadjointView<Eigen::Lower>().llt().solve(row));
  }
  return mobility > 0.0 ? 1.0 / mobility : 0.0;
}

void StepRows::add_spring(ContactPoint& point, double h, LawProblem& problem) {
  const PairLaw& law = point.law;
  add_contact(point, 0.0, 1.0, problem);
  const double m = mass_at(point, problem);
  const double mean = 0.25 * h * law.stiffness + 0.5 * law.damping;
  const SpringRule rule = m > 0.0 ? spring_rule(law.stiffness, law.damping, m, h) : SpringRule{mean, mean};
  problem.set_compliance(point.block, 1.0 / (h * rule.after));
  problem.b[problem.blocks()[static_cast<std::size_t>(point.block)].first] =
      (rule.before * point.approach + law.stiffness * point.gap) / rule.after;
}

}  // namespace cardan

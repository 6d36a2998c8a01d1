#include "cardan/solve/staggered_projections.hpp"

#include "cardan/solve/internal/box_qp.hpp"
#include "cardan/solve/internal/dense_laws.hpp"
#include "cardan/solve/lcp.hpp"

#include <cmath>

namespace cardan {

namespace {

struct Divided {
  std::vector<int> normals, tangents;
  std::vector<const LawBlock*> block;  // of each tangent

  explicit Divided(const LawProblem& problem) {
    for (const LawBlock& each : problem.blocks())
      for (int k = 0; k < each.size; ++k) {
        if (each.law == Law::at_least || (each.law == Law::cone && k == 0)) {
          normals.push_back(each.first + k);
        } else if (each.law != Law::equal) {
          tangents.push_back(each.first + k);
          block.push_back(&each);
        }
      }
  }
};

}  // namespace

StaggeredSolution solve_by_staggered_projections(const LawProblem& problem, const StaggeredOptions& options,
                                                 const Eigen::VectorXd& guess) {
  const DenseLaws dense(problem);
  const Divided rows(problem);
  const Eigen::MatrixXd A_nn = select(dense.A(), rows.normals, rows.normals),
                        A_nt = select(dense.A(), rows.normals, rows.tangents),
                        A_tt = select(dense.A(), rows.tangents, rows.tangents);
  const Eigen::VectorXd u_n = select(dense.u_free(), rows.normals), u_t = select(dense.u_free(), rows.tangents);
  Eigen::VectorXd normal = Eigen::VectorXd::Zero(u_n.size()), tangent = Eigen::VectorXd::Zero(u_t.size());
  if (guess.size() == problem.rows()) tangent = select(guess, rows.tangents);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(problem.rows()), bound(u_t.size());
  StaggeredSolution out;
  while (out.rounds < options.rounds) {
    ++out.rounds;
    // contact (2.113)
    const LcpSolution contact = solve_lcp(A_nn, u_n + A_nt * tangent);
    if (contact.status != LcpSolution::Status::solved) break;
    const Eigen::VectorXd change = contact.z - normal;
    normal = contact.z;
    const double moved = std::sqrt(std::max(0.0, change.dot(A_nn * change))),
                 size = std::sqrt(std::max(0.0, normal.dot(A_nn * normal)));
    out.converged = moved <= options.tolerance * size && out.rounds > 1;
    lambda(rows.normals) = normal;
    lambda(rows.tangents) = tangent;
    if (out.converged || rows.tangents.empty()) break;
    // friction (2.114)
    for (Eigen::Index k = 0; k < bound.size(); ++k)
      bound[k] = dense.friction_bound(*rows.block[static_cast<std::size_t>(k)], lambda);
    tangent = solve_box_qp(A_tt, -(u_t + A_nt.transpose() * normal), bound, tangent).x;
    lambda(rows.tangents) = tangent;
  }
  out.converged |= rows.tangents.empty() && out.rounds > 0;
  out.laws = dense.complete(lambda, options.tolerance);
  return out;
}

}  // namespace cardan

#include "cardan/constraints/internal/dense_solvers.hpp"

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/inertia_scale.hpp"

#include <cmath>
#include <numeric>

namespace cardan {

namespace {

Eigen::Map<const Eigen::VectorXd> vector(const In<double>& x) { return {x.data(), x.size()}; }
Eigen::Map<Eigen::VectorXd> vector(const Out<double>& x) { return {x.data(), x.size()}; }

/// How much heavier rows of J are than those of H in the whole matrix: in it a small singular value of J counts with
/// its square, which would be lost beside the largest.
constexpr double kWeight = 1e3;

}  // namespace

// --- direct ------------------------------------------------------------------------------------------------------

DirectSolver::DirectSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()),
      H_(set.model().nv(), set.model().nv()),
      J_(set.rows(), set.model().nv()),
      whole_(set.model().nv() + set.rows(), set.model().nv() + set.rows()),
      right_(whole_.rows()),
      left_(whole_.rows()) {
  // a singular value s of J, of the largest, is one of about weight s^2 of the largest in the whole matrix, where
  // rounding is not far below this
  factor_.set_threshold(10.0 * kRankTolerance * kRankTolerance * kWeight);
}

void DirectSolver::solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                         Out<double> lambda) {
  const int n = set.model().nv(), m = set.rows();
  mass_matrix(set.model(), workspace_, q, H_);
  set.matrix(J_);
  // accelerations in units that make the diagonal of H one; one unit for all multipliers, or least norm would change
  constexpr double kLeastInertia = 1e-12;  // of the largest entry: what constraints alone hold has none
  const double floor = n > 0 ? kLeastInertia * H_.diagonal().maxCoeff() : 0.0;
  scale_ = H_.diagonal().cwiseMax(floor).cwiseSqrt().cwiseInverse();
  J_ = J_ * scale_.asDiagonal();
  const double unit = m > 0 ? kWeight / std::max(J_.norm(), 1e-300) : 1.0;
  whole_.topLeftCorner(n, n) = scale_.asDiagonal() * H_ * scale_.asDiagonal();
  whole_.topRightCorner(n, m) = unit * J_.transpose();
  whole_.bottomLeftCorner(m, n) = unit * J_;
  whole_.bottomRightCorner(m, m).setZero();
  right_.head(n) = scale_.cwiseProduct(vector(f));
  right_.tail(m) = unit * vector(k);
  factor_.compute(whole_);
  left_ = factor_.solve(right_);
  right_ -= whole_ * left_;
  left_ += factor_.solve(right_);  // the weight costs digits, which this gives back
  rank_ = static_cast<int>(factor_.rank()) - n;
  vector(a) = scale_.cwiseProduct(left_.head(n));
  vector(lambda) = -unit * left_.tail(m);
}

// --- dual --------------------------------------------------------------------------------------------------------

DualSolver::DualSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()),
      H_(set.model().nv(), set.model().nv()),
      Y_(set.model().nv(), set.rows()),
      z_(set.model().nv()),
      w_(set.model().nv()),
      scale_(inertia_scales(set.model())) {
  factor_.set_threshold(kRankTolerance);
}

void DualSolver::solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                       Out<double> lambda) {
  const BranchSparsity tree(set.model());
  mass_matrix(set.model(), workspace_, q, H_);
  factorize_ltl<double>(tree, H_);
  regularity_ = {};
  for (int v = 0; v < set.model().nv(); ++v) {
    const double pivot = H_(v, v) * H_(v, v) / scale_[static_cast<std::size_t>(v)];
    if (!(pivot >= regularity_.pivot)) regularity_ = {std::isnan(pivot) ? 0.0 : pivot, v};
  }
  Eigen::MatrixXd J(set.rows(), set.model().nv());
  set.matrix(J);
  Y_ = J.transpose();
  for (int i = 0; i < set.rows(); ++i) solve_L_transposed<double>(tree, H_, Out<double>(Y_.col(i)), Diagonal::stored);
  z_ = vector(f);
  solve_L_transposed<double>(tree, H_, z_, Diagonal::stored);
  // (Y'Y) lambda = k - Y'z in two halves, without squaring the condition: Y'w = k - Y'z, Y lambda = w
  factor_.compute(Y_);
  const Eigen::VectorXd b = vector(k) - Y_.transpose() * z_;
  w_ = factor_.solve_transposed(b);
  vector(lambda) = factor_.solve(w_);
  z_ += w_;
  solve_L<double>(tree, H_, z_, Diagonal::stored);
  vector(a) = z_;
}

// --- elimination -------------------------------------------------------------------------------------------------

EliminationSolver::EliminationSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()), H_(set.model().nv(), set.model().nv()), g_(set.model().nv()) {
  std::vector<bool> touched(static_cast<std::size_t>(set.model().nv()));
  for (ConstraintCluster& cluster : constraint_clusters(set)) {
    for (const int v : cluster.velocities) touched[static_cast<std::size_t>(v)] = true;
    clusters_.push_back({std::move(cluster), {}});
  }
  for (int v = 0; v < set.model().nv(); ++v)
    if (!touched[static_cast<std::size_t>(v)]) untouched_.push_back(v);
}

/// J = P^-1 [K11 K12; K21 K22] Q^-1 with K11 regular (Eq. 8.48): G = Q [-K11^-1 K12; 1], g = Q [K11^-1 k1; 0].
void EliminationSolver::eliminate(const ConstraintSet& set, In<double> k) {
  rank_ = 0;
  independent_ = untouched_;
  std::vector<Eigen::MatrixXd> kernels;
  g_.setZero();
  for (Cluster& cluster : clusters_) {
    cluster.fill(set);
    cluster.lu.setThreshold(kRankTolerance);
    cluster.lu.compute(cluster.J);
    const auto r = cluster.lu.rank(), n = cluster.J.cols();
    rank_ += static_cast<int>(r);
    const Eigen::VectorXd right = cluster.lu.permutationP() * cluster.rows_of(set, vector(k));
    const auto& LU = cluster.lu.matrixLU();
    const auto L = LU.topLeftCorner(r, r).triangularView<Eigen::UnitLower>();
    const auto U = LU.topLeftCorner(r, r).triangularView<Eigen::Upper>();
    Eigen::VectorXd g1 = right.head(r);
    L.solveInPlace(g1);
    U.solveInPlace(g1);
    Eigen::MatrixXd G1 = -LU.topRightCorner(r, n - r);
    U.solveInPlace(G1);
    const auto& place = cluster.lu.permutationQ().indices();
    Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(n, n - r);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int velocity = cluster.velocities[static_cast<std::size_t>(place[i])];
      if (i < r) {
        kernel.row(place[i]) = G1.row(i);
        g_[velocity] = g1[i];
      } else {
        kernel(place[i], i - r) = 1.0;
        independent_.push_back(velocity);
      }
    }
    kernels.push_back(std::move(kernel));
  }
  G_.setZero(set.model().nv(), static_cast<Eigen::Index>(independent_.size()));
  Eigen::Index column = 0;
  for (const int v : untouched_) G_(v, column++) = 1.0;
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    for (std::size_t i = 0; i < clusters_[c].velocities.size(); ++i)
      G_.row(clusters_[c].velocities[i]).segment(column, kernels[c].cols()) =
          kernels[c].row(static_cast<Eigen::Index>(i));
    column += kernels[c].cols();
  }
}

/// J' lambda = forces, cluster by cluster, of least norm.
void EliminationSolver::find_multipliers(const ConstraintSet& set, const Eigen::VectorXd& forces, Out<double> lambda) {
  vector(lambda).setZero();
  for (const Cluster& cluster : clusters_) {
    Orthogonal factor;
    factor.set_threshold(kRankTolerance);
    factor.compute(cluster.J.transpose());
    const Eigen::VectorXd own = factor.solve(forces(cluster.velocities));
    Eigen::Index row = 0;
    for (const int i : cluster.members) {
      vector(lambda).segment(set.first_row(i), set.rows_of(i).size()) = own.segment(row, set.rows_of(i).size());
      row += set.rows_of(i).size();
    }
  }
}

void EliminationSolver::solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                              Out<double> lambda) {
  mass_matrix(set.model(), workspace_, q, H_);
  eliminate(set, k);
  const Eigen::MatrixXd HG = H_ * G_;
  const Eigen::MatrixXd reduced = G_.transpose() * HG;
  const Eigen::VectorXd right = G_.transpose() * (vector(f) - H_ * g_);
  const Eigen::LLT<Eigen::MatrixXd> factor(reduced);
  vector(a) = G_ * factor.solve(right) + g_;
  const Eigen::VectorXd left = G_.transpose() * (vector(f) - H_ * vector(a));  // large entries of G cost digits
  vector(a) += G_ * factor.solve(left);
  find_multipliers(set, H_ * vector(a) - vector(f), lambda);
}

}  // namespace cardan

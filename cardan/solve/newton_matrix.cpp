#include "cardan/solve/newton_matrix.hpp"

namespace cardan {

namespace {

constexpr int kMostDense = 160;  // velocities and rows; beyond, most entries are zero

}  // namespace

void NewtonMatrix::begin(const PreparedLaws& laws, double softened) {
  laws_ = &laws;
  softened_ = softened;
  slopes_.assign(laws.problem().blocks().size(), {});
  ride_count_ = 0;
}

Eigen::VectorXd& NewtonMatrix::ride(int block, const Block3& e) {
  if (ride_count_ == rides_.size()) rides_.emplace_back();
  slope(block).ride = static_cast<int>(ride_count_);
  slope(block).e = e;
  Eigen::VectorXd& g = rides_[ride_count_++];
  g.setZero(laws_->velocities() + laws_->rank());
  return g;
}

void NewtonMatrix::add_row(int multiplier, double factor, Eigen::VectorXd& g) const {
  const LawBlock& block = laws_->problem().blocks()[static_cast<std::size_t>(laws_->block_of(multiplier))];
  const Block33& D = slope(laws_->block_of(multiplier)).D;
  const auto columns = laws_->problem().columns(block);
  const auto J = laws_->problem().J(block);
  for (int row = 0; row < block.size; ++row) {
    const double weight = -factor * D(multiplier - block.first, row);
    if (weight == 0.0) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) g[columns[c]] += weight * J(row, static_cast<Eigen::Index>(c));
  }
}

template <class Add>
void NewtonMatrix::assemble(const Add& add) const {
  const LawProblem& problem = laws_->problem();
  const int n = laws_->velocities(), rank = laws_->rank();
  for (const LawProblem::Mass& part : problem.mass)
    for (int i = 0; i < part.M.rows(); ++i)
      for (int j = 0; j <= i; ++j)
        if (const double x = part.M(i, j); x != 0.0) {
          add(part.first + i, part.first + j, x);
          if (i != j) add(part.first + j, part.first + i, x);
        }
  const auto& blocks = problem.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const LawBlock& block = blocks[b];
    if (block.law == Law::equal) continue;
    const BlockSlope& slope = slopes_[b];
    const auto columns = problem.columns(block);
    const auto J = problem.J(block);
    if (!slope.D.isZero(0.0))
      for (std::size_t c = 0; c < columns.size(); ++c) {
        Block3 DJ = Block3::Zero();
        for (int row = 0; row < block.size; ++row) DJ += slope.D.col(row) * J(row, static_cast<Eigen::Index>(c));
        for (std::size_t r = 0; r < columns.size(); ++r) {
          double sum = 0.0;
          for (int row = 0; row < block.size; ++row) sum += J(row, static_cast<Eigen::Index>(r)) * DJ[row];
          add(columns[r], columns[c], sum);
        }
      }
    if (slope.ride < 0) continue;
    const Eigen::VectorXd& g = rides_[static_cast<std::size_t>(slope.ride)];
    for (std::size_t r = 0; r < columns.size(); ++r) {
      double along = 0.0;
      for (int row = 0; row < block.size; ++row) along += J(row, static_cast<Eigen::Index>(r)) * slope.e[row];
      if (along == 0.0) continue;
      for (int k = 0; k < n + exact_rows(); ++k)
        if (g[k] != 0.0) add(columns[r], k, -along * g[k]);
    }
  }
  const Eigen::MatrixXd& Jw = laws_->Jw();
  if (rank > 0 && exact_rows() > 0) {
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < rank; ++r)
        if (const double x = Jw(r, c); x != 0.0) {
          add(c, n + r, -x);
          add(n + r, c, x);
        }
  } else if (rank > 0) {
    const Eigen::MatrixXd springs = softened_ * (Jw.transpose() * Jw);
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < n; ++r) add(r, c, springs(r, c));
  }
}

bool NewtonMatrix::factor() {
  if (size() <= kMostDense) {
    dense_.setZero(size(), size());
    assemble([&](int i, int j, double x) { dense_(i, j) += x; });
    dense_factor_.compute(dense_);
    return true;  // a singular matrix shows in the solution
  }
  triplets_.clear();
  assemble([&](int i, int j, double x) { triplets_.emplace_back(i, j, x); });
  for (int k = 0; k < size(); ++k) triplets_.emplace_back(k, k, 0.0);
  sparse_.resize(size(), size());
  sparse_.setFromTriplets(triplets_.begin(), triplets_.end());
  sparse_.makeCompressed();
  if (!sparse_factor_) sparse_factor_ = std::make_unique<Eigen::SparseLU<Eigen::SparseMatrix<double>>>();
  sparse_factor_->compute(sparse_);
  return sparse_factor_->info() == Eigen::Success;
}

void NewtonMatrix::solve(Eigen::VectorXd& x) {
  if (size() <= kMostDense)
    x = dense_factor_.solve(x);
  else
    x = sparse_factor_->solve(x);
}

}  // namespace cardan

#include "cardan/solve/newton_matrix.hpp"

namespace cardan {

namespace {

constexpr int kMostDense = 160;           // velocities and rows with a border
constexpr double kSmallestPivot = 1e-10;  // of the diagonal of the mass matrix

}  // namespace

void NewtonMatrix::attend(const PreparedLaws& laws) {
  laws_ = &laws;
  arranged_ = false;
}

void NewtonMatrix::begin(double softened) {
  softened_ = softened;
  slopes_.assign(laws_->problem().blocks().size(), {});
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

bool NewtonMatrix::is_dense() const { return has_border() && size() <= kMostDense; }

void NewtonMatrix::assemble_dense() {
  const LawProblem& problem = laws_->problem();
  const int n = laws_->velocities(), rank = laws_->rank(), exact = exact_rows();
  dense_.setZero(size(), size());
  for (const LawProblem::Mass& part : problem.mass) {
    const auto rows = part.M.rows();
    dense_.block(part.first, part.first, rows, rows) = part.M.selfadjointView<Eigen::Lower>();
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
          dense_(columns[r], columns[c]) += sum;
        }
      }
    if (slope.ride < 0) continue;
    const Eigen::VectorXd& g = rides_[static_cast<std::size_t>(slope.ride)];
    for (std::size_t r = 0; r < columns.size(); ++r) {
      double along = 0.0;
      for (int row = 0; row < block.size; ++row) along += J(row, static_cast<Eigen::Index>(r)) * slope.e[row];
      if (along != 0.0) dense_.row(columns[r]) -= along * g.head(n + exact).transpose();
    }
  }
  if (rank == 0) return;
  const Eigen::MatrixXd& Jw = laws_->Jw();
  if (exact > 0) {
    dense_.topRightCorner(n, rank) -= Jw.transpose();
    dense_.bottomLeftCorner(rank, n) = Jw;
  } else {
    dense_.noalias() += softened_ * (Jw.transpose() * Jw);
  }
}

void NewtonMatrix::arrange() {
  if (arranged_) return;
  arranged_ = true;
  layout_.arrange(laws_->problem());
  smallest_pivot_.resize(static_cast<std::size_t>(laws_->velocities()));
  const auto& parts = laws_->problem().mass;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (int k = 0; k < laws_->factor(i).size(); ++k)
      smallest_pivot_[static_cast<std::size_t>(parts[i].first + k)] = kSmallestPivot * laws_->factor(i).mass(k).back();
}

/// Adds J' D J of a block to its front.
void NewtonMatrix::add_block(std::size_t index) {
  const Block33& D = slopes_[index].D;
  if (D.isZero(0.0)) return;
  const LawBlock& block = laws_->problem().blocks()[index];
  const FrontLayout::BlockPlace& place = layout_.place(index);
  if (place.front < 0) return;
  const FrontLayout::Front& front = layout_.fronts()[static_cast<std::size_t>(place.front)];
  double* F = fronts_.front(front);
  const auto J = laws_->problem().J(block);
  const auto runs = layout_.runs(place);
  const double* rows[3] = {J.data(), J.data() + (block.size > 1 ? block.columns : 0),
                           J.data() + (block.size > 2 ? 2 * block.columns : 0)};
  for (const FrontLayout::Run& across : runs)
    for (int c = across.from; c < across.from + across.length; ++c) {
      double DJ[3] = {};
      for (int row = 0; row < block.size; ++row)
        for (int k = 0; k < block.size; ++k) DJ[k] += D(k, row) * rows[row][c];
      double* column = F + front.stride * (across.to + c - across.from);
      for (const FrontLayout::Run& down : runs) {
        double* __restrict out = column + down.to;
        const double *first = rows[0] + down.from, *second = rows[1] + down.from, *third = rows[2] + down.from;
        if (block.size == 1)
          for (int r = 0; r < down.length; ++r) out[r] += first[r] * DJ[0];
        else
          for (int r = 0; r < down.length; ++r) out[r] += first[r] * DJ[0] + second[r] * DJ[1] + third[r] * DJ[2];
      }
    }
}

bool NewtonMatrix::factor_fronts() {
  fronts_.begin(layout_);
  const auto places = layout_.mass();
  std::size_t next = 0;
  for (std::size_t i = 0; i < laws_->problem().mass.size(); ++i)
    for (int k = 0; k < laws_->factor(i).size(); ++k) {
      const auto row = laws_->factor(i).mass(k);
      for (std::size_t p = 0; p + 1 < row.size(); ++p, ++next) {
        fronts_.entry(places[next].lower) += row[p];
        fronts_.entry(places[next].upper) += row[p];
      }
      fronts_.entry(places[next++].lower) += row.back();
    }
  for (std::size_t b = 0; b < slopes_.size(); ++b) add_block(b);
  return fronts_.factor(smallest_pivot_);
}

void NewtonMatrix::drop_couplings() {
  for (BlockSlope& slope : slopes_) {
    slope.D.row(0).tail<2>().setZero();
    slope.D.col(0).tail<2>().setZero();
    slope.ride = -1;
  }
  ride_count_ = 0;
}

bool NewtonMatrix::factor() {
  if (is_dense()) {
    assemble_dense();
    dense_factor_.compute(dense_);
    return true;  // a singular matrix shows in the solution
  }
  arrange();
  if (!factor_fronts()) {
    drop_couplings();
    if (!factor_fronts()) return false;
  }
  if (has_border()) factor_border();
  return true;
}

/// Reduces the rows and columns that border A to a dense matrix.
void NewtonMatrix::factor_border() {
  const int n = laws_->velocities(), rank = laws_->rank(), rides = static_cast<int>(ride_count_);
  response_.setZero(n, rank + rides);
  response_.leftCols(rank) = laws_->Jw().transpose();
  const auto& blocks = laws_->problem().blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (slopes_[b].ride < 0) continue;
    const auto columns = laws_->problem().columns(blocks[b]);
    const auto J = laws_->problem().J(blocks[b]);
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (int row = 0; row < blocks[b].size; ++row)
        response_(columns[c], rank + slopes_[b].ride) += J(row, static_cast<Eigen::Index>(c)) * slopes_[b].e[row];
  }
  for (Eigen::Index k = 0; k < response_.cols(); ++k) fronts_.solve(response_.col(k).data());
  border_.resize(rank + rides, rank + rides);
  border_.topRows(rank).noalias() = laws_->Jw() * response_;
  if (softened_ > 0.0) border_.topLeftCorner(rank, rank).diagonal().array() += 1.0 / softened_;
  for (int k = 0; k < rides; ++k) {
    const Eigen::VectorXd& g = rides_[static_cast<std::size_t>(k)];
    border_.row(rank + k).noalias() = g.head(n).transpose() * response_;
    border_.row(rank + k).head(rank) += g.tail(rank).transpose();
    border_(rank + k, rank + k) -= 1.0;
  }
  border_factor_.compute(border_);
}

void NewtonMatrix::solve_border(Eigen::VectorXd& x) {
  const int n = laws_->velocities(), rank = laws_->rank(), rides = static_cast<int>(ride_count_);
  fronts_.solve(x.data());
  border_x_.resize(rank + rides);
  border_x_.head(rank).noalias() = -(laws_->Jw() * x.head(n));
  if (exact_rows() > 0) border_x_.head(rank) += x.tail(rank);
  for (int k = 0; k < rides; ++k) border_x_[rank + k] = -rides_[static_cast<std::size_t>(k)].head(n).dot(x.head(n));
  border_x_ = border_factor_.solve(border_x_).eval();
  x.head(n).noalias() += response_ * border_x_;
  if (exact_rows() > 0) x.tail(rank) = border_x_.head(rank);
}

void NewtonMatrix::solve(Eigen::VectorXd& x) {
  if (is_dense()) {
    permuted_ = x;
    x = dense_factor_.solve(permuted_);
  } else if (has_border()) {
    solve_border(x);
  } else {
    fronts_.solve(x.data());
  }
}

}  // namespace cardan

#include "cardan/solve/prepared_laws.hpp"

#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace cardan {

namespace {

constexpr double kSmallestScale = 1e-12;       // of d, relative to the largest: rows that nothing moves
constexpr double kSmallestConstrained = 1e-3;  // of the constrained d, relative to d

}  // namespace

void PreparedLaws::prepare(const LawProblem& problem, bool keep_responses) {
  problem_ = &problem;
  factor_mass();
  scale_blocks(keep_responses);
  whiten_equalities();
}

void PreparedLaws::factor_mass() {
  const auto& parts = problem_->mass;
  if (own_factors_.size() < parts.size()) own_factors_.resize(parts.size());
  factors_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    factors_[i] = parts[i].factor;
    if (factors_[i] != nullptr) continue;
    own_factors_[i].factor(parts[i].M, parts[i].parent);
    factors_[i] = &own_factors_[i];
  }
}

void PreparedLaws::solve_upper(Eigen::VectorXd& x) const {
  for (std::size_t i = 0; i < problem_->mass.size(); ++i) factors_[i]->solve_upper(x.data() + problem_->mass[i].first);
}

void PreparedLaws::solve_lower(Eigen::VectorXd& x) const {
  for (std::size_t i = 0; i < problem_->mass.size(); ++i) factors_[i]->solve_lower(x.data() + problem_->mass[i].first);
}

void PreparedLaws::multiply_mass(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  for (std::size_t i = 0; i < problem_->mass.size(); ++i) {
    const int first = problem_->mass[i].first;
    factors_[i]->multiply(v.data() + first, out.data() + first);
  }
}

void PreparedLaws::scale_blocks(bool keep_responses) {
  const auto& blocks = problem_->blocks();
  d_.assign(blocks.size(), 0.0);
  block_of_.assign(static_cast<std::size_t>(problem_->rows()), 0);
  part_of_.resize(static_cast<std::size_t>(velocities()));
  const std::size_t lanes = 4 * part_of_.size();
  responses_.assign(keep_responses ? blocks.size() * lanes : lanes, 0.0);
  for (std::size_t i = 0; i < problem_->mass.size(); ++i)
    std::fill_n(part_of_.begin() + problem_->mass[i].first, factors_[i]->size(), static_cast<int>(i));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    const auto columns = problem_->columns(block);
    const auto J = problem_->J(block);
    for (int row = 0; row < block.size; ++row)
      block_of_[static_cast<std::size_t>(block.first + row)] = static_cast<int>(i);
    double trace = 0.0;
    double* response = responses_.data() + (keep_responses ? i * lanes : 0);
    for (int first = 0; first < block.size; first += 4) {
      const int rows = std::min(4, block.size - first);
      touched_.clear();  // pairs: part, its last velocity
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const int part = part_of_[static_cast<std::size_t>(columns[k])];
        double* lane = response + 4 * columns[k];
        for (int row = 0; row < rows; ++row) lane[row] = J(first + row, static_cast<Eigen::Index>(k));
        std::size_t t = 0;
        while (t < touched_.size() && touched_[t] != part) t += 2;
        if (t == touched_.size()) touched_.insert(touched_.end(), {part, columns[k]});
        touched_[t + 1] = std::max(touched_[t + 1], columns[k]);
      }
      for (std::size_t t = 0; t < touched_.size(); t += 2) {
        const int start = problem_->mass[static_cast<std::size_t>(touched_[t])].first;
        const BranchFactor& factor = *factors_[static_cast<std::size_t>(touched_[t])];
        trace += factor.solve_upper_four(response + 4 * start, touched_[t + 1] - start);
        if (!keep_responses) std::fill_n(response + 4 * start, 4 * factor.size(), 0.0);
      }
    }
    d_[i] = trace / block.size;
  }
  double largest = 0.0, logs = 0.0;
  for (const double d : d_) largest = std::max(largest, d);
  for (double& d : d_) {
    d = std::max(d, largest > 0.0 ? kSmallestScale * largest : 1.0);
    logs += std::log(d);
  }
  typical_d_ = d_.empty() ? 1.0 : std::exp(logs / static_cast<double>(d_.size()));
}

void PreparedLaws::whiten_equalities() {
  const auto& blocks = problem_->blocks();
  const int n = velocities();
  equality_rows_.clear();
  for (const LawBlock& block : blocks)
    if (block.law == Law::equal)
      for (int row = 0; row < block.size; ++row) equality_rows_.push_back(block.first + row);
  const auto count = static_cast<Eigen::Index>(equality_rows_.size());
  inconsistency_ = 0.0;
  constrained_d_ = d_;
  Jw_.resize(0, n);
  bw_.resize(0);
  T_.resize(0, count);
  if (count > 0) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, count);
    Eigen::VectorXd b(count), scale(count), x;
    for (Eigen::Index k = 0; k < count; ++k) {
      const int row = equality_rows_[static_cast<std::size_t>(k)];
      const LawBlock& block = blocks[static_cast<std::size_t>(block_of(row))];
      const auto columns = problem_->columns(block);
      const auto J = problem_->J(block);
      scale[k] = 1.0 / std::sqrt(d(block_of(row)));
      x.setZero(n);
      for (std::size_t c = 0; c < columns.size(); ++c)
        x[columns[c]] = scale[k] * J(row - block.first, static_cast<Eigen::Index>(c));
      solve_upper(x);
      B.col(k) = x;
      b[k] = scale[k] * problem_->b[row];
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(n, count);
    qr.setThreshold(kRankTolerance);
    qr.compute(B);
    const Eigen::Index rank = qr.rank();
    const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(n, rank);
    const Eigen::MatrixXd R = Q.transpose() * B;
    T_ = (R * R.transpose()).ldlt().solve(R);
    bw_ = T_ * b;
    const Eigen::VectorXd contradiction = b - R.transpose() * bw_;
    inconsistency_ = (contradiction.array() / scale.array()).abs().maxCoeff();
    T_ = T_ * scale.asDiagonal();
    // Jw = Q' L
    Jw_.resize(rank, n);
    for (std::size_t i = 0; i < problem_->mass.size(); ++i) {
      const int first = problem_->mass[i].first, size = factors_[i]->size();
      Eigen::MatrixXd L(size, size);
      factors_[i]->copy_to(L);
      Jw_.middleCols(first, size).noalias() = Q.middleRows(first, size).transpose() * L;
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].law == Law::equal) continue;
      const auto columns = problem_->columns(blocks[i]);
      const auto J = problem_->J(blocks[i]);
      double held = 0.0;
      for (int row = 0; row < blocks[i].size; ++row) {
        x.setZero(n);
        for (std::size_t c = 0; c < columns.size(); ++c) x[columns[c]] = J(row, static_cast<Eigen::Index>(c));
        solve_upper(x);
        held += (Q.transpose() * x).squaredNorm();
      }
      constrained_d_[i] = std::max(d_[i] - held / blocks[i].size, kSmallestConstrained * d_[i]);
    }
  }
  // loads by whitened multipliers: lambda_E = T' lambda_w
  load_by_whitened_.clear();
  if (std::none_of(blocks.begin(), blocks.end(), [](const LawBlock& block) { return block.loads > 0; })) return;
  std::vector<int> place(static_cast<std::size_t>(problem_->rows()), -1);
  for (std::size_t k = 0; k < equality_rows_.size(); ++k)
    place[static_cast<std::size_t>(equality_rows_[k])] = static_cast<int>(k);
  for (const LawBlock& block : blocks)
    for (const Load& load : problem_->loads(block)) {
      Eigen::MatrixXd& by = load_by_whitened_.emplace_back();
      for (const Load::Entry& entry : load.by_multiplier)
        if (const int k = place[static_cast<std::size_t>(entry.index)]; k >= 0) {
          if (by.size() == 0) by.setZero(3, rank());
          by.noalias() += entry.column * T_.col(k).transpose();
        }
    }
}

void PreparedLaws::expand(Multipliers& lambda) const {
  if (equality_rows_.empty()) return;
  const Eigen::VectorXd rows = T_.transpose() * lambda.whitened;
  for (std::size_t k = 0; k < equality_rows_.size(); ++k)
    lambda.rows[equality_rows_[k]] = rows[static_cast<Eigen::Index>(k)];
}

void PreparedLaws::whiten(Multipliers& lambda) const {
  // J_w' lambda_w = J_E' lambda_E, so lambda_w = Q' L^-T J_E' lambda_E = J_w M^-1 J_E' lambda_E
  lambda.whitened.setZero(rank());
  if (rank() == 0) return;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(velocities());
  for (const LawBlock& block : problem_->blocks()) {
    if (block.law != Law::equal) continue;
    const auto columns = problem_->columns(block);
    const auto J = problem_->J(block);
    for (int row = 0; row < block.size; ++row)
      for (std::size_t c = 0; c < columns.size(); ++c)
        x[columns[c]] += J(row, static_cast<Eigen::Index>(c)) * lambda.rows[block.first + row];
  }
  solve_upper(x);
  solve_lower(x);
  lambda.whitened.noalias() = Jw_ * x;
}

void PreparedLaws::add_impulse(const Multipliers& lambda, Eigen::VectorXd& out) const {
  for (const LawBlock& block : problem_->blocks()) {
    if (block.law == Law::equal) continue;
    const auto columns = problem_->columns(block);
    const auto J = problem_->J(block);
    for (int row = 0; row < block.size; ++row) {
      const double impulse = lambda.rows[block.first + row];
      if (impulse == 0.0) continue;
      for (std::size_t c = 0; c < columns.size(); ++c)
        out[columns[c]] += J(row, static_cast<Eigen::Index>(c)) * impulse;
    }
  }
  if (rank() > 0) out.noalias() += Jw_.transpose() * lambda.whitened;
}

void PreparedLaws::velocity(const Multipliers& lambda, Eigen::VectorXd& v) const {
  v.setZero(velocities());
  add_impulse(lambda, v);
  solve_upper(v);
  solve_lower(v);
  v += problem_->v_free;
}

Block3 PreparedLaws::row_velocity(const LawBlock& block, const Eigen::VectorXd& v) const {
  Block3 u = Block3::Zero();
  const auto columns = problem_->columns(block);
  const auto J = problem_->J(block);
  for (int row = 0; row < block.size; ++row) {
    double sum = problem_->b[block.first + row];
    for (std::size_t c = 0; c < columns.size(); ++c) sum += J(row, static_cast<Eigen::Index>(c)) * v[columns[c]];
    u[row] = sum;
  }
  return u;
}

Eigen::Vector3d PreparedLaws::load(const Load& load, int index, const Multipliers& lambda, const Eigen::VectorXd& balls,
                                   const Eigen::VectorXd& v) const {
  Eigen::Vector3d w = load.constant;
  for (const Load::Entry& entry : load.by_multiplier) {
    const LawBlock& other = problem_->blocks()[static_cast<std::size_t>(block_of(entry.index))];
    if (other.law == Law::equal) continue;
    w += entry.column * (other.law == Law::ball ? balls : lambda.rows)[entry.index];
  }
  for (const Load::Entry& entry : load.by_velocity) w += entry.column * v[entry.index];
  const Eigen::MatrixXd& by = load_by_whitened_[static_cast<std::size_t>(index)];
  if (by.size() > 0) w.noalias() += by * lambda.whitened;
  return w;
}

double PreparedLaws::radius(const LawBlock& block, const Multipliers& lambda, const Eigen::VectorXd& balls,
                            const Eigen::VectorXd& v) const {
  double out = block.bound;
  const auto loads = problem_->loads(block);
  for (std::size_t i = 0; i < loads.size(); ++i)
    out += loads[i].factor * load(loads[i], block.first_load + static_cast<int>(i), lambda, balls, v).norm();
  return out;
}

double PreparedLaws::residual(const Multipliers& lambda, Eigen::VectorXd& v) const {
  velocity(lambda, v);
  double worst = 0.0;
  const auto& blocks = problem_->blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LawBlock& block = blocks[i];
    if (block.law == Law::equal) continue;
    const double bound = block.loads > 0 ? radius(block, lambda, lambda.rows, v) : block.bound;
    const double error = law_error(block, d_[i], bound, get_block(lambda.rows, block), row_velocity(block, v));
    if (!(error <= worst)) worst = error;
  }
  // equality rows, in their own units: J_E v + b_E, contradictions taken out
  if (rank() > 0) {
    const Eigen::VectorXd error = Jw_ * v + bw_;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].law != Law::equal) continue;
      // |row| <= sqrt(d) |whitened error|, and rows that nothing moves have none
      const double bound = std::sqrt(d_[i]) * error.norm();
      if (!(bound <= worst)) worst = bound;
    }
  }
  return worst;
}

}  // namespace cardan

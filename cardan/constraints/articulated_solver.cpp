#include "cardan/constraints/articulated_solver.hpp"

#include "cardan/algorithms/force_columns.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Part of the largest eigenvalue of A below which a row repeats others.
constexpr double kSpectrumTolerance = 1e-12;

}  // namespace

ArticulatedSolver::ArticulatedSolver(const ConstraintSet& set)
    : workspace_(set.model()),
      rows_(set.rows()),
      stride_((rows_ + width) / width * width),
      slot_(static_cast<std::size_t>(set.model().bodies()) + 1, -1),
      u_(set.model().nv(), stride_),
      y_(set.model().nv(), stride_),
      A_(rows_, rows_),
      b_(rows_),
      factor_(rows_),
      spectrum_(rows_) {
  std::ptrdiff_t slots = 0;
  for (int i = 0; i < set.size(); ++i) {
    for (const auto& end : set.rows_of(i).on_bodies) {
      auto& slot = slot_[static_cast<std::size_t>(end.body)];
      if (slot < 0) slot = slots++;
    }
  }
  on_body_.resize(static_cast<std::size_t>(slots) * 6 * static_cast<std::size_t>(stride_));
}

/// What acts on bodies and velocities, before it is passed on.
void ArticulatedSolver::place_forces(const ConstraintSet& set, In<double> f) {
  std::fill(on_body_.begin(), on_body_.end(), 0.0);
  for (int v = 0; v < f.size(); ++v) u_(v, rows_) = f[v];
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int row = 0; row < rows.size(); ++row) {
      const int column = set.first_row(i) + row;
      for (const auto& end : rows.on_bodies)
        for (int c = 0; c < 6; ++c) force_on(end.body, c)[column] += end.row[static_cast<std::size_t>(row)][c];
      for (std::size_t v = 0; v < rows.velocities.size(); ++v)
        u_(rows.velocities[v], column) = rows.on_velocities(row, static_cast<Eigen::Index>(v));
    }
  }
}

/// Tips to base, one register of columns: u = force - S' p, and p + U D^-1 u goes to the parent.
void ArticulatedSolver::pass_inward(const Model& model, int group) {
  const int first = group * width;
  inward<ForceVector<L>>(model, workspace_, [&](const auto& at, ForceVector<L>& p) CARDAN_INLINE_LAMBDA {
    using Path = typename std::remove_cvref_t<decltype(at)>::Path;
    const auto& record = at.record(workspace_);
    if (slot_[static_cast<std::size_t>(at.body)] >= 0)
      for (int c = 0; c < 6; ++c) p[c] -= L::load(force_on(at.body, c) + first);
    L u[Path::nv > 0 ? Path::nv : 1];
    for (int c = 0; c < at.nv; ++c) {
      double* place = u_.data() + static_cast<std::ptrdiff_t>(at.link.v + c) * stride_ + first;
      u[c] = L(at.link.sign) * L::load(place) - detail::row_of(record.S, p, c);
      u[c].store(place);
    }
    for (int c = 0; c < at.nv; ++c) {
      L sum = L(record.D(c, 0)) * u[0];
      for (int k = 1; k < at.nv; ++k) sum += L(record.D(c, k)) * u[k];
      sum.store(y_.data() + static_cast<std::ptrdiff_t>(at.link.v + c) * stride_ + first);
    }
    if (at.link.parent == 0) return;
    for (int c = 0; c < at.nv; ++c)
      for (int row = 0; row < 6; ++row) p[row] += L(record.K.column[c][row]) * u[c];
    p = transpose_apply(detail::broadcast<L>(at.place(record.X_J)), p);
  });
}

/// A lambda = b; where rows repeat one another, the least lambda.
void ArticulatedSolver::find_multipliers(In<double> k, Out<double> lambda) {
  const auto u = u_.leftCols(rows_), y = y_.leftCols(rows_);
  A_.noalias() = u.transpose() * y;
  b_ = Eigen::Map<const Eigen::VectorXd>(k.data(), rows_);
  b_.noalias() -= u.transpose() * y_.col(rows_);
  Eigen::Map<Eigen::VectorXd> out(lambda.data(), rows_);
  factor_.compute(A_);
  rank_ = rows_;
  const auto pivots = factor_.matrixLLT().diagonal().array().square();
  const bool may_be_regular = expected_ < 0 || expected_ == rows_;
  if (rows_ == 0 || (may_be_regular && factor_.info() == Eigen::Success &&
                     pivots.minCoeff() > kSpectrumTolerance * pivots.maxCoeff())) {
    out = b_;
    factor_.solveInPlace(out);
    return;
  }
  spectrum_.compute(A_);
  const auto& values = spectrum_.eigenvalues();
  b_ = spectrum_.eigenvectors().transpose() * b_;
  for (int i = 0; i < rows_; ++i) {
    const bool repeats =
        !(values[i] > kSpectrumTolerance * values[rows_ - 1]) || (!may_be_regular && i < rows_ - expected_);
    if (repeats) --rank_;
    b_[i] = repeats ? 0.0 : b_[i] / values[i];
  }
  out.noalias() = spectrum_.eigenvectors() * b_;
}

/// Base to tips: accelerations under f and all constraint forces together.
void ArticulatedSolver::pass_outward(const Model& model, In<double> lambda, Out<double> a) {
  const Eigen::Map<const Eigen::VectorXd> x(lambda.data(), rows_);
  outward(model, workspace_, MotionVector<double>{},
          [&](const auto& at, MotionVector<double>& motion) CARDAN_INLINE_LAMBDA {
            constexpr int n = std::remove_cvref_t<decltype(at)>::nv;
            const auto& record = at.record(workspace_);
            motion = at.place(record.X_J) * motion;
            Vector<double, n> own;
            for (int c = 0; c < n; ++c) {
              const auto row = y_.row(at.link.v + c);
              own[c] = row[rows_] + row.head(rows_).dot(x);
            }
            own = own - dot(record.K, motion);
            add_to(motion, record.S, own);
            at.set(a, own);
          });
}

void ArticulatedSolver::solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                              Out<double> lambda) {
  const Model& model = set.model();
  detail::place_joints(model, workspace_, q);
  detail::pass_inertia_inward(model, workspace_);
  u_.setZero();
  place_forces(set, f);
  for (int group = 0; group * width < stride_; ++group) pass_inward(model, group);
  find_multipliers(k, lambda);
  pass_outward(model, In<double>(lambda.data(), lambda.size()), a);
}

}  // namespace cardan

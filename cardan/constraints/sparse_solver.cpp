#include "cardan/constraints/sparse_solver.hpp"

#include "cardan/constraints/joint_subspace.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

namespace {

/// Makes the matrix quasi-definite, so that it can be factored in any order whether or not rows repeat one another.
/// What it changes is undone by refinement, which ends at the multipliers of least norm.
constexpr double kSoftness[] = {1e-9,
                                1e-12};  // the second where refinement with the first does not end: long stiff chains
constexpr int kMostRefinements = 30;
constexpr double kRefined = 1e-13;
constexpr double kWrong = 1e-10;  // a last correction larger than this: the result is not worth giving

/// What is not a number stops an integrator; what is merely wrong would not.
void give_up(Out<double> a) { std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN()); }

ForceVector<double> force(const MotionBasis& directions, int k) {
  ForceVector<double> out;
  for (int c = 0; c < 6; ++c) out[c] = directions(c, k);
  return out;
}

}  // namespace

SparseSolver::SparseSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()),
      model_(set.model()),
      rows_(set.rows()),
      softness_(kSoftness[0]),
      joints_(static_cast<std::size_t>(model_.bodies())) {
  int row = 6 * model_.bodies();
  for (int i = 1; i <= model_.bodies(); ++i) {
    stiffness_ = std::max(stiffness_, model_.link(i).I.m);
    joints_[static_cast<std::size_t>(i) - 1].first = row;
    row += 6 - model_.link(i).nv;
  }
  first_loop_row_ = row;
  size_ = row + rows_;
  right_.resize(size_);
  x_.resize(size_);
}

void SparseSolver::take_joints(const Kinematics<double>& bodies) {
  for (int i = 1; i <= model_.bodies(); ++i) {
    JointRows& joint = joints_[static_cast<std::size_t>(i) - 1];
    const Link& link = model_.link(i);
    joint.motion.X = bodies.X[static_cast<std::size_t>(i)];
    joint.motion.nv = link.nv;
    for (int k = 0; k < link.nv; ++k) joint.motion.S[k] = bodies.S[static_cast<std::size_t>(link.v + k)];
    joint.split.update(joint.motion, joint.motion.nv);
  }
}

/// weight (own' (a_i - X a_parent))^2 / 2 as a part of the energy: it ties the two bodies together.
template <class Add>
void SparseSolver::add_energy(int body, const ForceVector<double>& own, double weight, const Add& add) const {
  const int i = 6 * (body - 1), p = 6 * (model_.link(body).parent - 1);
  const ForceVector<double> on_parent = transpose_apply(joints_[static_cast<std::size_t>(body) - 1].motion.X, own);
  for (int c = 0; c < 6; ++c) {
    for (int r = c; r < 6; ++r) add(i + r, i + c, weight * own[r] * own[c]);
    if (p < 0) continue;
    for (int r = c; r < 6; ++r) add(p + r, p + c, weight * on_parent[r] * on_parent[c]);
    for (int r = 0; r < 6; ++r) add(i + r, p + c, -weight * own[r] * on_parent[c]);
  }
}

/// [I + stiffness B'B, B'; B, -softness], lower triangle: B holds T' (a_i - X a_parent) of every joint, then the
/// constraints.
template <class Add>
void SparseSolver::fill(const ConstraintSet& set, const Add& add) const {
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    const JointRows& joint = joints_[static_cast<std::size_t>(i) - 1];
    for (int c = 0; c < 6; ++c) {
      MotionVector<double> unit;
      unit[c] = 1.0;
      const ForceVector<double> column = link.I * unit;
      for (int r = c; r < 6; ++r) add(6 * (i - 1) + r, 6 * (i - 1) + c, column[r]);
    }
    for (int k = 0; k < link.nv && link.has_armature; ++k)
      add_energy(i, force(joint.split.S_inverse, k), model_.armature(link.v + k), add);
    for (int k = 0; k < 6 - link.nv; ++k) {
      const ForceVector<double> own = force(joint.split.T, k);
      add_energy(i, own, stiffness_, add);
      const ForceVector<double> on_parent = transpose_apply(joint.motion.X, own);
      for (int c = 0; c < 6; ++c) {
        add(joint.first + k, 6 * (i - 1) + c, own[c]);
        if (link.parent > 0) add(joint.first + k, 6 * (link.parent - 1) + c, -on_parent[c]);
      }
      add(joint.first + k, joint.first + k, -softness_);
    }
  }
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int k = 0; k < rows.size(); ++k) {
      const int row = first_loop_row_ + set.first_row(i) + k;
      for (const auto& end : rows.on_bodies)
        for (int c = 0; c < 6; ++c) add(row, 6 * (end.body - 1) + c, end.row[static_cast<std::size_t>(k)][c]);
      for (std::size_t v = 0; v < rows.velocities.size(); ++v) {  // a velocity is S+ (a_i - X a_parent)
        const int body = model_.body_of_dof(rows.velocities[v]), p = model_.link(body).parent;
        const JointRows& joint = joints_[static_cast<std::size_t>(body) - 1];
        const double entry = rows.on_velocities(k, static_cast<Eigen::Index>(v));
        const ForceVector<double> own = entry * force(joint.split.S_inverse, rows.velocities[v] - model_.link(body).v);
        const ForceVector<double> on_parent = transpose_apply(joint.motion.X, own);
        for (int c = 0; c < 6; ++c) {
          add(row, 6 * (body - 1) + c, own[c]);
          if (p > 0) add(row, 6 * (p - 1) + c, -on_parent[c]);
        }
      }
      add(row, row, -softness_);
    }
  }
}

/// Which entries there are, and in which order they come, is always the same.
void SparseSolver::find_places(const ConstraintSet& set) {
  std::vector<Eigen::Triplet<double>> entries;
  fill(set, [&](int row, int column, double entry) { entries.emplace_back(row, column, entry); });
  matrix_.resize(size_, size_);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  for (const auto& entry : entries) {
    const int *first = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col()],
              *last = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[entry.col() + 1];
    places_.push_back(static_cast<int>(std::lower_bound(first, last, entry.row()) - matrix_.innerIndexPtr()));
  }
  factor_.analyzePattern(matrix_);
}

/// Whether the accelerations became as exact as they should be.
bool SparseSolver::factor_and_refine(const ConstraintSet& set) {
  std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
  auto place = places_.begin();
  fill(set, [&](int, int, double entry) { matrix_.valuePtr()[*place++] += entry; });
  factor_.factorize(matrix_);
  if (factor_.info() != Eigen::Success) return false;

  // the exact system has zeros where the softness is: x gains what its own residual asks for
  const int bodies = 6 * model_.bodies();
  x_ = factor_.solve(right_);
  double before = std::numeric_limits<double>::infinity(), size = before;
  for (int i = 0; i < kMostRefinements; ++i) {
    residual_ = right_ - matrix_.selfadjointView<Eigen::Lower>() * x_;
    residual_.tail(size_ - bodies) -= softness_ * x_.tail(size_ - bodies);
    change_ = factor_.solve(residual_);
    x_ += change_;
    size = change_.head(bodies).norm() / std::max(x_.head(bodies).norm(), 1e-300);
    if (!(size > kRefined) || (size < kWrong && size > 0.5 * before)) break;  // done, or down to rounding
    before = size;
  }
  return size <= kWrong;
}

void SparseSolver::solve(In<double>, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                         Out<double> lambda) {
  take_joints(set.bodies());
  if (places_.empty()) find_places(set);
  right_.setZero();
  for (int i = 1; i <= model_.bodies(); ++i) {  // what drives the joints, as forces on the two bodies
    const Link& link = model_.link(i);
    const JointRows& joint = joints_[static_cast<std::size_t>(i) - 1];
    ForceVector<double> drive;
    for (int v = 0; v < link.nv; ++v)
      for (int c = 0; c < 6; ++c) drive[c] += f[link.v + v] * joint.split.S_inverse(c, v);
    const ForceVector<double> on_parent = transpose_apply(joint.motion.X, drive);
    for (int c = 0; c < 6; ++c) {
      right_[6 * (i - 1) + c] += drive[c];
      if (link.parent > 0) right_[6 * (link.parent - 1) + c] -= on_parent[c];
    }
  }
  for (int i = 0; i < rows_; ++i) right_[first_loop_row_ + i] = k[i];

  bool solved = factor_and_refine(set);
  if (!solved && softness_ == kSoftness[0]) {
    softness_ = kSoftness[1];  // from now on
    solved = factor_and_refine(set);
  }
  if (!solved) return give_up(a);
  for (int i = 0; i < rows_; ++i) lambda[i] = -x_[first_loop_row_ + i];

  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    const JointRows& joint = joints_[static_cast<std::size_t>(i) - 1];
    const auto of = [&](int body) {
      MotionVector<double> m;
      for (int c = 0; c < 6 && body > 0; ++c) m[c] = x_[6 * (body - 1) + c];
      return m;
    };
    const MotionVector<double> relative = of(i) - joint.motion.X * of(link.parent);
    for (int v = 0; v < link.nv; ++v) {
      a[link.v + v] = 0.0;
      for (int c = 0; c < 6; ++c) a[link.v + v] += joint.split.S_inverse(c, v) * relative[c];
    }
  }
}

}  // namespace cardan

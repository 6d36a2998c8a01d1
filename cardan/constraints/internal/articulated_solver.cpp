#include "cardan/constraints/internal/articulated_solver.hpp"

#include "cardan/algorithms/force_columns.hpp"
#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inertia_scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cardan {

namespace {

template <class F>
void each_body_pulled(const Model& model, const ConstraintRows& rows, const F& f) {
  for (const auto& end : rows.on_bodies) f(end.body);
  for (const int v : rows.velocities) f(model.body_of_dof(v));
}

/// Times a mass: where rows of J vanish, u is what rounding leaves of two ends that cancel, and A its square.
constexpr double kRoundingOfA = 1e-22;

}  // namespace

ArticulatedSolver::ArticulatedSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()),
      rows_(set.rows()),
      stride_((rows_ + width - 1) / width * width),
      column_(static_cast<std::size_t>(rows_)),
      body_slot_(static_cast<std::size_t>(set.model().bodies()) + 1, -1),
      velocity_slot_(static_cast<std::size_t>(set.model().nv()), -1),
      u_(velocity_slot_.size() * static_cast<std::size_t>(stride_)),
      y_(u_.size()),
      x_(static_cast<std::size_t>(stride_)),
      pulled_(velocity_slot_.size()),
      groups_(static_cast<std::size_t>(stride_ / width)),
      scale_(inertia_scales(set.model())),
      negligible_(set.model().total_mass() > 0.0 ? kRoundingOfA / set.model().total_mass() : 0.0),
      A_(stride_, stride_),
      b_(rows_),
      multipliers_(rows_) {
  std::ptrdiff_t bodies = 0, velocities = 0;
  const auto give = [](std::ptrdiff_t& slot, std::ptrdiff_t& used) {
    if (slot < 0) slot = used++;
  };
  for (int i = 0; i < set.size(); ++i) {
    for (const auto& end : set.rows_of(i).on_bodies) give(body_slot_[static_cast<std::size_t>(end.body)], bodies);
    for (const int v : set.rows_of(i).velocities) give(velocity_slot_[static_cast<std::size_t>(v)], velocities);
  }
  on_body_.resize(static_cast<std::size_t>(bodies * 6 * stride_));
  on_velocity_.resize(static_cast<std::size_t>(velocities * stride_));
  choose_columns(set);
  find_ways(set);
}

/// Rows with a long way to the base side by side, so that few registers go all of it.
void ArticulatedSolver::choose_columns(const ConstraintSet& set) {
  std::vector<int> order(static_cast<std::size_t>(set.size())), length(order.size());
  std::iota(order.begin(), order.end(), 0);
  for (int i = 0; i < set.size(); ++i)
    each_body_pulled(set.model(), set.rows_of(i), [&](int body) {
      int& longest = length[static_cast<std::size_t>(i)];
      longest = std::max(longest, set.model().depth(body));
    });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return length[static_cast<std::size_t>(a)] > length[static_cast<std::size_t>(b)];
  });
  int next = 0;
  for (const int i : order)
    for (int row = 0; row < set.rows_of(i).size(); ++row)
      column_[static_cast<std::size_t>(set.first_row(i) + row)] = next++;
}

void ArticulatedSolver::find_ways(const ConstraintSet& set) {
  const Model& model = set.model();
  std::vector<int> children(static_cast<std::size_t>(model.bodies()) + 1);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::vector<bool> on_way(children.size());
    std::fill(children.begin(), children.end(), 0);
    for (int i = 0; i < set.size(); ++i) {
      bool inside = false;
      for (int row = 0; row < set.rows_of(i).size(); ++row)
        inside = inside || column_[static_cast<std::size_t>(set.first_row(i) + row)] / width == static_cast<int>(g);
      if (inside)
        each_body_pulled(model, set.rows_of(i), [&](int body) {
          for (; body != 0 && !on_way[static_cast<std::size_t>(body)]; body = model.link(body).parent)
            on_way[static_cast<std::size_t>(body)] = true;
        });
    }
    std::vector<Step>& steps = groups_[g].inward;
    for (int body = model.bodies(); body >= 1; --body)
      if (on_way[static_cast<std::size_t>(body)]) steps.push_back({body, false, false});
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const int parent = model.link(steps[s].body).parent;
      steps[s].chained = s + 1 < steps.size() && steps[s + 1].body == parent;
      if (!steps[s].chained) ++children[static_cast<std::size_t>(parent)];
    }
    for (Step& step : steps) {
      step.gathers = children[static_cast<std::size_t>(step.body)] > 0;
      const Link& link = model.link(step.body);
      for (int k = 0; k < link.nv; ++k) groups_[g].velocities.push_back(link.v + k);
    }
  }
}

/// A diagonal entry of D^-1 is the inverse of the pivot, were it the last of its joint.
void ArticulatedSolver::look_at_pivots(const Model& model) {
  regularity_ = {};
  for (int body = 1; body <= model.bodies(); ++body) {
    const Link& link = model.link(body);
    dispatch(link.kernel, [&]<class Kernel>(Kernel) {
      if constexpr (Kernel::nv > 0) {
        const auto& D_inv = At<Kernel>{model, link, body}.scratch(workspace_).D_inv;
        for (int c = 0; c < Kernel::nv; ++c) {
          const double pivot = 1.0 / (D_inv(c, c) * scale_[static_cast<std::size_t>(link.v + c)]);
          if (!(pivot >= regularity_.pivot)) regularity_ = {std::isnan(pivot) ? 0.0 : pivot, link.v + c};
        }
      }
    });
  }
}

/// What acts on bodies and velocities, before it is passed on.
void ArticulatedSolver::place_forces(const ConstraintSet& set) {
  std::fill(on_body_.begin(), on_body_.end(), 0.0);
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int row = 0; row < rows.size(); ++row) {
      const int column = column_[static_cast<std::size_t>(set.first_row(i) + row)];
      for (const auto& end : rows.on_bodies)
        for (int c = 0; c < 6; ++c)
          force_on(end.body)[c * stride_ + column] += end.row[static_cast<std::size_t>(row)][c];
      for (std::size_t v = 0; v < rows.velocities.size(); ++v)
        force_on_velocity(rows.velocities[v])[column] = rows.on_velocities(row, static_cast<Eigen::Index>(v));
    }
  }
}

/// Tips to base, one register of columns: u = force - S' p, and p + U D^-1 u goes to the parent.
void ArticulatedSolver::pass_inward(const Model& model, int group) {
  const int first = group * width;
  Group& own = groups_[static_cast<std::size_t>(group)];
  const auto kept = [this](int body) -> ForceVector<L>& {
    return workspace_.lane_force[static_cast<std::size_t>(body)];
  };
  for (const Step& step : own.inward)
    if (step.gathers) kept(step.body) = {};
  ForceVector<L> p;
  L b;
  for (const Step& step : own.inward) {
    const Link& link = model.link(step.body);
    if (step.gathers) p += kept(step.body);
    if (body_slot_[static_cast<std::size_t>(step.body)] >= 0)
      for (int c = 0; c < 6; ++c) p[c] -= L::load(force_on(step.body) + c * stride_ + first);
    dispatch(link.kernel, [&]<class Kernel>(Kernel) CARDAN_INLINE_LAMBDA {
      const At<Kernel> at{model, link, step.body};
      const auto& scratch = at.scratch(workspace_);
      L u[Kernel::nv > 0 ? Kernel::nv : 1];
      for (int c = 0; c < at.nv; ++c) {
        u[c] = -detail::row_of(scratch.S, p, c);
        if (velocity_slot_[static_cast<std::size_t>(link.v + c)] >= 0)
          u[c] += L(link.sign) * L::load(force_on_velocity(link.v + c) + first);
        u[c].store(this->u(link.v + c) + first);
        b += L(scratch.y[c]) * u[c];
      }
      for (int c = 0; c < at.nv; ++c) {
        L sum = L(scratch.D_inv(c, 0)) * u[0];
        for (int k = 1; k < at.nv; ++k) sum += L(scratch.D_inv(c, k)) * u[k];
        sum.store(y(link.v + c) + first);
      }
      if (link.parent == 0) return;
      const auto [X, rotation] = split(detail::broadcast<L>(at.transform(scratch.X_J)));
      p = rotate_back(rotation, p);
      for (int c = 0; c < at.nv; ++c)
        for (int row = 0; row < 6; ++row) p[row] += L(scratch.gain.column[c][row]) * u[c];
      p = transpose_apply(X, p);
    });
    if (step.chained) continue;
    if (link.parent != 0) kept(link.parent) += p;
    p = {};
  }
  own.b = b;
}

/// A = u'y, the columns of one register with those of it and of the registers before.
void ArticulatedSolver::multiply(int group) {
  const Group& own = groups_[static_cast<std::size_t>(group)];
  for (int first = 0; first <= group * width; first += width) {
    L sum[width];
    for (const int v : own.velocities) {
      const L right = L::load(y(v) + group * width);
      for (int i = 0; i < width; ++i) sum[i] += L(u(v)[first + i]) * right;
    }
    for (int i = 0; i < width; ++i) sum[i].store(&A_(group * width, first + i));  // the lower triangle
  }
}

/// A lambda = b, in the order of columns.
void ArticulatedSolver::find_multipliers(const Model& model, In<double> k, Out<double> lambda) {
  for (int row = 0; row < rows_; ++row) {
    const int column = column_[static_cast<std::size_t>(row)];
    b_[column] = k[row] - groups_[static_cast<std::size_t>(column / width)].b[column % width];
  }
  if (rows_ > 0 && !(A_.diagonal().head(rows_).maxCoeff() > negligible_)) A_.setZero();
  if (multipliers_.solve(A_.topLeftCorner(rows_, rows_), b_, Eigen::Map<Eigen::VectorXd>(x_.data(), rows_)))
    for (int v = 0; v < model.nv(); ++v) {
      L sum;
      for (int first = 0; first < stride_; first += width) sum += L::load(y(v) + first) * L::load(x_.data() + first);
      pulled_[static_cast<std::size_t>(v)] = sum_of_lanes(sum);
    }
  else
    find_multipliers_by_factor(model);
  for (int row = 0; row < rows_; ++row)
    lambda[row] = x_[static_cast<std::size_t>(column_[static_cast<std::size_t>(row)])];
}

/// With D^-1 = C C' for each joint, W = C'u, W'w = b and W lambda = w: then D^-1 u lambda = C w, and nothing was
/// squared.
void ArticulatedSolver::find_multipliers_by_factor(const Model& model) {
  W_.setZero(model.nv(), rows_);
  const auto each_block = [&](const auto& f) {
    for (int body = 1; body <= model.bodies(); ++body) {
      const Link& link = model.link(body);
      dispatch(link.kernel, [&]<class Kernel>(Kernel) {
        if constexpr (Kernel::nv > 0) {
          const auto& D_inv = At<Kernel>{model, link, body}.scratch(workspace_).D_inv;
          Eigen::Matrix<double, Kernel::nv, Kernel::nv> block;
          for (int r = 0; r < Kernel::nv; ++r)
            for (int c = 0; c < Kernel::nv; ++c) block(r, c) = D_inv(r, c);
          f(link.v, Eigen::Matrix<double, Kernel::nv, Kernel::nv>(block.llt().matrixL()));
        }
      });
    }
  };
  each_block([&](int v, const auto& C) {
    for (int r = 0; r < C.rows(); ++r)
      for (int c = 0; c <= r; ++c) W_.row(v + c) += C(r, c) * Eigen::Map<const Eigen::RowVectorXd>(u(v + r), rows_);
  });
  multipliers_.solve_factor(W_, b_, w_, Eigen::Map<Eigen::VectorXd>(x_.data(), rows_));
  each_block([&](int v, const auto& C) {
    Eigen::Map<Eigen::VectorXd>(pulled_.data() + v, C.rows()) = C * w_.segment(v, C.rows());
  });
}

/// Base to tips: accelerations under all forces together.
void ArticulatedSolver::pass_outward(const Model& model, Out<double> a) {
  outward(model, workspace_, MotionVector<double>{},
          [&](const auto& at, MotionVector<double>& motion) CARDAN_INLINE_LAMBDA {
            const auto& scratch = at.scratch(workspace_);
            const auto [X, rotation] = split(at.transform(scratch.X_J));
            motion = X * motion;
            auto own = minus_dot(scratch.y, scratch.gain, motion);
            motion = rotate(rotation, motion);
            for (int c = 0; c < at.nv; ++c) own[c] += pulled_[static_cast<std::size_t>(at.link.v + c)];
            add_to(motion, scratch.S, own);
            at.set(a, own);
          });
}

void ArticulatedSolver::constrain(const ConstraintSet& set, In<double> k, Out<double> a, Out<double> lambda) {
  look_at_pivots(set.model());
  place_forces(set);
  for (int group = 0; group < static_cast<int>(groups_.size()); ++group) {
    pass_inward(set.model(), group);
    multiply(group);
  }
  find_multipliers(set.model(), k, lambda);
  pass_outward(set.model(), a);
}

void ArticulatedSolver::solve(In<double> q, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                              Out<double> lambda) {
  detail::articulate_at_rest(set.model(), workspace_, q, f);
  constrain(set, k, a, lambda);
}

void ArticulatedSolver::forward_dynamics(In<double> q, In<double> v, const ConstraintSet& set, In<double> tau,
                                         In<double> k, Out<double> a, Out<double> lambda) {
  detail::articulate(set.model(), workspace_, q, v, tau);
  constrain(set, k, a, lambda);
}

}  // namespace cardan

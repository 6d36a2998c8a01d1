#include "cardan/dynamics/system_trace.hpp"

#include "cardan/algorithms/factorization.hpp"
#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/compile/internal/trace_parts.hpp"
#include "cardan/constraints/mobility.hpp"
#include "cardan/model/dynamic_equivalence.hpp"
#include "cardan/solve/rank_tolerance.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kMostRows = 400;  // beyond, methods that use sparsity win
constexpr int kMostVelocities = 400;

/// Marks the velocities that a constraint moves; where only relative motion matters, those below the common ancestor.
std::vector<bool> moved_by(const Model& model, const Touches& touched) {
  std::vector<int> count(static_cast<std::size_t>(model.bodies()) + 1);
  for (const int body : touched.bodies)
    for (int i = body; i > 0; i = model.link(i).parent) ++count[static_cast<std::size_t>(i)];
  std::vector<bool> out(static_cast<std::size_t>(model.nv()));
  const bool is_relative = touched.relative && touched.bodies.size() == 2;
  for (int i = 1; i <= model.bodies(); ++i) {
    const int n = count[static_cast<std::size_t>(i)];
    if (n == 0 || (is_relative && n == 2)) continue;
    for (int k = model.link(i).v; k < model.link(i).v + model.link(i).nv; ++k) out[static_cast<std::size_t>(k)] = true;
  }
  for (const int k : touched.velocities) out[static_cast<std::size_t>(k)] = true;
  return out;
}

/// One recording, step by step.
class Recording {
 public:
  Recording(const System& system, SystemTrace& trace)
      : system_(system),
        model_(with_fewest_parameters(system.model())),
        workspace_(model_),
        kinematics_(model_),
        trace_(trace),
        tau_(trace.tau),
        wrenches_(static_cast<std::size_t>(model_.bodies()) + 1),
        applied_(tau_.size()) {}

  /// Adds up what acts, as generalized forces in tau_, and records the rates of states.
  void act() {
    const std::vector<Expr> at_rest(tau_.size());
    forward_kinematics<Expr>(model_, workspace_, trace_.q, trace_.v, at_rest, kinematics_);
    SymbolicPushes pushes(wrenches_, tau_);
    const auto first = system_.first_states();
    for (std::size_t i = 0; i < system_.forces().size(); ++i) {
      const int states = first[i + 1] - first[i];
      const SymbolicInstant here = instant().of_element(first[i], states);
      system_.forces()[i]->add_symbolic(here, pushes);
      if (states == 0) continue;
      std::vector<Expr> rate(static_cast<std::size_t>(states));
      system_.forces()[i]->rate_symbolic(here, rate);
      std::copy(rate.begin(), rate.end(), trace_.z_dot.begin() + first[i]);
    }
    add_wrenches(tau_);
  }

  /// Records the accelerations of a tree.
  void move_freely() {
    const In<Expr> in[] = {trace_.q, trace_.v, tau_};
    trace_forward_dynamics({model_, workspace_, kinematics_, 0, in, trace_.a});
  }

  /// Records the chosen rows: J by velocities, and k.
  void hold(const IndependentRows& independent) {
    const std::vector<int>& chosen = independent.rows;
    mobilities_ = independent.mobilities;
    int number = 0;
    std::size_t next = 0;
    for (const auto& constraint : system_.constraints()) {
      const int n = constraint->rows();
      if (next == chosen.size() || chosen[next] >= number + n) {
        number += n;
        continue;
      }
      const Touches touched = constraint->touches();
      const std::vector<bool> moves = moved_by(model_, touched);
      ConstraintRowsOf<Expr> rows;
      rows.resize(touched, n);
      constraint->evaluate_symbolic(instant(), rows);
      for (; next < chosen.size() && chosen[next] < number + n; ++next) add_row(rows, chosen[next] - number, moves);
      number += n;
    }
  }

  /// Records the accelerations under the rows, with H = L'DL, Y = L^-T J' and (Y' D^-1 Y) lambda = k - Y' D^-1 y.
  void move_held() {
    const int n = model_.nv();
    std::vector<Expr> H(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)), y(tau_.size());
    const MatrixView<Expr> L(H.data(), n, n);
    const In<Expr> in[] = {trace_.q, trace_.v};
    trace_mass_matrix({model_, workspace_, kinematics_, 0, in, H});
    trace_bias({model_, workspace_, kinematics_, 0, in, y});
    const BranchSparsity tree(model_);
    factorize_ltdl<Expr>(tree, L);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = tau_[i] - y[i];
    solve_L_transposed<Expr>(tree, L, y, Diagonal::unit);
    for (std::vector<Expr>& row : J_) solve_L_transposed<Expr>(tree, L, row, Diagonal::unit);
    const auto weighted = [&](const std::vector<Expr>& a, const std::vector<Expr>& b) {
      Expr sum;
      for (int i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        sum += a[k] * b[k] / L(i, i);
      }
      return sum;
    };
    const std::vector<Expr> lambda = multipliers([&](std::size_t i) { return k_[i] - weighted(J_[i], y); },
                                                 [&](std::size_t i, std::size_t j) { return weighted(J_[i], J_[j]); });
    for (std::size_t r = 0; r < J_.size(); ++r)
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += J_[r][i] * lambda[r];
    for (int i = 0; i < n; ++i) y[static_cast<std::size_t>(i)] = y[static_cast<std::size_t>(i)] / L(i, i);
    solve_L<Expr>(tree, L, y, Diagonal::unit);
    trace_.a = y;
  }

 private:
  SymbolicInstant instant() const { return {model_, trace_.t[0], trace_.q, trace_.v, trace_.z, trace_.u, kinematics_}; }

  /// Adds what the wrenches on bodies do at the joints, and clears them.
  void add_wrenches(std::vector<Expr>& out) {
    jacobian_transpose_product<Expr>(model_, workspace_, trace_.q, wrenches_, applied_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += applied_[i];
    std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<Expr>{});
  }

  void add_row(const ConstraintRowsOf<Expr>& rows, int row, const std::vector<bool>& moves) {
    for (const auto& on : rows.on_bodies)
      wrenches_[static_cast<std::size_t>(on.body)] += on.row[static_cast<std::size_t>(row)];
    std::vector<Expr>& J = J_.emplace_back(tau_.size());
    add_wrenches(J);
    for (std::size_t k = 0; k < rows.velocities.size(); ++k)
      J[static_cast<std::size_t>(rows.velocities[k])] += rows.on_velocities(row, static_cast<Eigen::Index>(k));
    for (std::size_t i = 0; i < J.size(); ++i)
      if (!moves[i]) J[i] = Expr();
    k_.push_back(rows.k[row]);
  }

  /// Solves W lambda = r by W = C E C' with a unit triangle C.
  template <class Right, class Matrix>
  std::vector<Expr> multipliers(const Right& right, const Matrix& W) {
    const std::size_t m = J_.size();
    std::vector<std::vector<Expr>> C(m, std::vector<Expr>(m));
    std::vector<Expr> E(m), x(m);
    for (std::size_t i = 0; i < m; ++i) {
      x[i] = right(i);
      for (std::size_t j = 0; j <= i; ++j) {
        Expr sum = W(i, j);
        const Expr whole = sum;
        for (std::size_t k = 0; k < j; ++k) sum -= C[i][k] * E[k] * C[j][k];
        if (j < i) {
          C[i][j] = sum / E[j];
          x[i] -= C[i][j] * x[j];
        } else {
          E[i] = sum;
          trace_.clearance = min(sum / max(whole, Expr(mobilities_[i])), trace_.clearance);
        }
      }
    }
    for (std::size_t i = 0; i < m; ++i) x[i] = x[i] / E[i];
    for (std::size_t i = m; i-- > 0;)
      for (std::size_t k = i + 1; k < m; ++k) x[i] -= C[k][i] * x[k];
    return x;
  }

  const System& system_;
  Model model_;
  Workspace<Expr> workspace_;
  Kinematics<Expr> kinematics_;
  SystemTrace& trace_;
  std::vector<Expr> tau_;
  std::vector<ForceVector<Expr>> wrenches_;
  std::vector<Expr> applied_;
  std::vector<std::vector<Expr>> J_;  // a row each
  std::vector<Expr> k_;
  std::vector<double> mobilities_;
};

}  // namespace

std::vector<std::string> beyond_code(const System& system) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& name, const std::string& why) {
    if (!why.empty()) out.push_back(name + ": " + why);
  };
  for (const auto& force : system.forces()) add(force->name(), force->beyond_code());
  for (const auto& constraint : system.constraints()) add(constraint->name(), constraint->beyond_code());
  return out;
}

std::optional<IndependentRows> independent_rows(const System& system, double t, In<double> q, int rank) {
  if (system.constraints().empty()) return IndependentRows{};
  const Model& model = system.model();
  const int n = model.nv();
  ConstraintSet set(model, ConstraintSet::Include::nothing);
  for (const auto& constraint : system.constraints()) set.add(constraint);
  if (n > kMostVelocities || set.rows() > kMostRows) return std::nullopt;
  const std::vector<double> at_rest(static_cast<std::size_t>(n));
  set.evaluate(t, q, at_rest);
  Eigen::MatrixXd J(set.rows(), n), H(n, n);
  set.matrix(J);
  Workspace<double> workspace(model);
  mass_matrix<double>(model, workspace, q, MatrixView<double>(H.data(), n, n));
  const Eigen::LLT<Eigen::MatrixXd> factor(H);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd Y = factor.matrixL().solve(J.transpose());
  Eigen::MatrixXd W = Y.transpose() * Y;
  // the row that adds most comes first; one that nothing moves is none
  const Eigen::VectorXd sizes = J.rowwise().norm();
  const Eigen::VectorXd whole = W.diagonal().cwiseMax(1e-300);
  Eigen::VectorXd left = (sizes.array() > kRankTolerance * sizes.maxCoeff()).select(W.diagonal(), 0.0);
  IndependentRows found;
  std::vector<int>& out = found.rows;
  for (int step = 0; step < set.rows(); ++step) {
    Eigen::Index row = 0;
    if (!(left.cwiseQuotient(whole).maxCoeff(&row) > kRankTolerance)) break;
    out.push_back(static_cast<int>(row));
    const Eigen::VectorXd column = W.col(row) / std::sqrt(W(row, row));
    W.noalias() -= column * column.transpose();
    left = left.cwiseMin(W.diagonal());
    for (const int taken : out) left[taken] = 0.0;
  }
  const std::span<const double> here(q.data(), static_cast<std::size_t>(q.size()));
  if (rank < 0) rank = analyze_mobility(model, set, t, here).rank;
  if (static_cast<int>(out.size()) != rank) return std::nullopt;
  std::sort(out.begin(), out.end());
  for (const int row : out) found.mobilities.push_back(whole[row]);
  return found;
}

SystemTrace trace_system(const System& system, const IndependentRows& rows, std::size_t most_nodes) {
  const Model& model = system.model();
  SystemTrace out;
  out.graph = std::make_unique<Graph>(most_nodes);
  int next = 0;
  const auto add = [&](std::vector<Expr>& array, int size) {
    for (int i = 0; i < size; ++i) array.push_back(out.graph->input(next++));
  };
  add(out.t, 1);
  add(out.q, model.nq());
  add(out.v, model.nv());
  add(out.z, system.element_states());
  add(out.u, static_cast<int>(system.inputs().size()));
  add(out.tau, model.nv());
  out.a.resize(out.tau.size());
  out.z_dot.resize(out.z.size());
  Recording recording(system, out);
  recording.act();
  if (rows.rows.empty()) {
    recording.move_freely();
  } else {
    recording.hold(rows);
    recording.move_held();
  }
  return out;
}

}  // namespace cardan

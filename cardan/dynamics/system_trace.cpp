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
  Recording(const System& system, const std::vector<Expr>& t, const std::vector<Expr>& q, const std::vector<Expr>& v,
            const std::vector<Expr>& z, const std::vector<Expr>& u)
      : system_(system),
        model_(with_fewest_parameters(system.model())),
        t_(t),
        q_(q),
        v_(v),
        z_(z),
        u_(u),
        workspace_(model_),
        kinematics_(model_),
        wrenches_(static_cast<std::size_t>(model_.bodies()) + 1),
        applied_(v.size()) {
    const std::vector<Expr> at_rest(v.size());
    forward_kinematics<Expr>(model_, workspace_, q_, v_, at_rest, kinematics_);
  }

  /// Adds up what acts as generalized forces, and records the rates of states.
  void act(std::vector<Expr>& tau, std::vector<Expr>& z_dot) {
    SymbolicPushes pushes(wrenches_, tau);
    const auto first = system_.first_states();
    for (std::size_t i = 0; i < system_.forces().size(); ++i) {
      const int states = first[i + 1] - first[i];
      const SymbolicInstant here = instant().of_element(first[i], states);
      system_.forces()[i]->add_symbolic(here, pushes);
      if (states == 0) continue;
      std::vector<Expr> rate(static_cast<std::size_t>(states));
      system_.forces()[i]->rate_symbolic(here, rate);
      std::copy(rate.begin(), rate.end(), z_dot.begin() + first[i]);
    }
    add_wrenches(tau);
  }

  /// Records the accelerations of a tree.
  void move_freely(const std::vector<Expr>& tau, std::vector<Expr>& a) {
    const In<Expr> in[] = {q_, v_, tau};
    trace_forward_dynamics({model_, workspace_, kinematics_, 0, in, a});
  }

  /// Records all rows: gap, drift and k, and J of those that are independent.
  void hold(const IndependentRows& independent) {
    mobilities_ = independent.mobilities;
    const std::vector<int>& chosen = independent.rows;
    int number = 0;
    for (const auto& constraint : system_.constraints()) {
      const Touches touched = constraint->touches();
      const std::vector<bool> moves = moved_by(model_, touched);
      ConstraintRowsOf<Expr> rows;
      rows.resize(touched, constraint->rows());
      constraint->evaluate_symbolic(instant(), rows);
      for (int i = 0; i < constraint->rows(); ++i, ++number) {
        largest_gap_ = max(abs(rows.gap[i]), largest_gap_);
        largest_drift_ = max(abs(rows.drift[i]), largest_drift_);
        if (std::binary_search(chosen.begin(), chosen.end(), number)) add_row(rows, i, moves);
      }
    }
  }
  const std::vector<Expr>& k() const { return k_; }
  const std::vector<Expr>& gap() const { return gap_; }
  const std::vector<Expr>& drift() const { return drift_; }
  Expr largest_gap() const { return largest_gap_; }
  Expr largest_drift() const { return largest_drift_; }

  /// Factors H = L'DL, and J H^-1 J' = C E C' with Y = L^-T J' and a unit triangle C.
  void factor() {
    const int n = model_.nv();
    H_.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), Expr());
    const In<Expr> in[] = {q_, v_};
    trace_mass_matrix({model_, workspace_, kinematics_, 0, in, H_});
    factorize_ltdl<Expr>(tree_, L());
    for (std::vector<Expr>& row : J_) solve_L_transposed<Expr>(tree_, L(), row, Diagonal::unit);
    const std::size_t m = J_.size();
    C_.assign(m, std::vector<Expr>(m));
    E_.resize(m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const Expr whole = weighted(J_[i], J_[j]);
        Expr sum = whole;
        for (std::size_t k = 0; k < j; ++k) sum -= C_[i][k] * E_[k] * C_[j][k];
        if (j < i) {
          C_[i][j] = sum / E_[j];
          continue;
        }
        E_[i] = sum;
        clearance_ = min(sum / max(whole, Expr(mobilities_[i])), clearance_);
        least_ = i == 0 ? sum : min(sum, least_);
        most_ = i == 0 ? sum : max(sum, most_);
      }
  }
  Expr clearance() const { return clearance_; }
  Expr least_pivot() const { return least_; }
  Expr largest_pivot() const { return most_; }

  /// Records what forces do under the rows: a with H a = f + J' lambda and J a = k.
  std::vector<Expr> move_held(std::vector<Expr> f, const std::vector<Expr>& k) {
    solve_L_transposed<Expr>(tree_, L(), f, Diagonal::unit);
    std::vector<Expr> lambda;
    for (std::size_t i = 0; i < J_.size(); ++i) lambda.push_back(k[i] - weighted(J_[i], f));
    solve_rows(lambda);
    for (std::size_t r = 0; r < J_.size(); ++r)
      for (std::size_t i = 0; i < f.size(); ++i) f[i] += J_[r][i] * lambda[r];
    for (int i = 0; i < model_.nv(); ++i) f[static_cast<std::size_t>(i)] = f[static_cast<std::size_t>(i)] / L()(i, i);
    solve_L<Expr>(tree_, L(), f, Diagonal::unit);
    return f;
  }

  /// Takes velocity products and gravity off the forces.
  void subtract_bias(std::vector<Expr>& tau) {
    std::vector<Expr> bias(tau.size());
    const In<Expr> in[] = {q_, v_};
    trace_bias({model_, workspace_, kinematics_, 0, in, bias});
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] -= bias[i];
  }

 private:
  SymbolicInstant instant() const { return {model_, t_[0], q_, v_, z_, u_, kinematics_}; }
  MatrixView<Expr> L() { return {H_.data(), model_.nv(), model_.nv()}; }

  /// a' D^-1 b.
  Expr weighted(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    Expr sum;
    for (int i = 0; i < model_.nv(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      sum += a[k] * b[k] / L()(i, i);
    }
    return sum;
  }

  /// Adds what the wrenches on bodies do at the joints, and clears them.
  void add_wrenches(std::vector<Expr>& out) {
    jacobian_transpose_product<Expr>(model_, workspace_, q_, wrenches_, applied_);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += applied_[i];
    std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<Expr>{});
  }

  void add_row(const ConstraintRowsOf<Expr>& rows, int row, const std::vector<bool>& moves) {
    for (const auto& on : rows.on_bodies)
      wrenches_[static_cast<std::size_t>(on.body)] += on.row[static_cast<std::size_t>(row)];
    std::vector<Expr>& J = J_.emplace_back(v_.size());
    add_wrenches(J);
    for (std::size_t k = 0; k < rows.velocities.size(); ++k)
      J[static_cast<std::size_t>(rows.velocities[k])] += rows.on_velocities(row, static_cast<Eigen::Index>(k));
    for (std::size_t i = 0; i < J.size(); ++i)
      if (!moves[i]) J[i] = Expr();
    k_.push_back(rows.k[row]);
    gap_.push_back(-rows.gap[row]);
    drift_.push_back(-rows.drift[row]);
  }

  /// x = (C E C')^-1 x.
  void solve_rows(std::vector<Expr>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) x[i] -= C_[i][j] * x[j];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] / E_[i];
    for (std::size_t i = x.size(); i-- > 0;)
      for (std::size_t k = i + 1; k < x.size(); ++k) x[i] -= C_[k][i] * x[k];
  }

  const System& system_;
  Model model_;
  BranchSparsity tree_{model_};
  const std::vector<Expr>&t_, &q_, &v_, &z_, &u_;
  Workspace<Expr> workspace_;
  Kinematics<Expr> kinematics_;
  std::vector<ForceVector<Expr>> wrenches_;
  std::vector<Expr> applied_;
  std::vector<std::vector<Expr>> J_;   // a row each; once factored L^-T of it
  std::vector<Expr> k_, gap_, drift_;  // of these rows, what J a, J dq and J dv are to be
  Expr largest_gap_, largest_drift_;   // of all rows
  std::vector<double> mobilities_;
  std::vector<Expr> H_;
  std::vector<std::vector<Expr>> C_;
  std::vector<Expr> E_;
  Expr clearance_{1.0}, least_{1.0}, most_{1.0};
};

/// Makes symbols for arrays, one after the other.
class SymbolArrays {
 public:
  explicit SymbolArrays(Graph& graph) : graph_(graph) {}
  void add(std::vector<Expr>& array, int size) {
    for (int i = 0; i < size; ++i) array.push_back(graph_.input(next_++));
  }

 private:
  Graph& graph_;
  int next_ = 0;
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
  SymbolArrays symbols(*out.graph);
  symbols.add(out.t, 1);
  symbols.add(out.q, model.nq());
  symbols.add(out.v, model.nv());
  symbols.add(out.z, system.element_states());
  symbols.add(out.u, static_cast<int>(system.inputs().size()));
  symbols.add(out.tau, model.nv());
  out.a.resize(out.tau.size());
  out.z_dot.resize(out.z.size());
  std::vector<Expr> tau = out.tau;
  Recording recording(system, out.t, out.q, out.v, out.z, out.u);
  recording.act(tau, out.z_dot);
  if (rows.rows.empty()) {
    recording.move_freely(tau, out.a);
    return out;
  }
  recording.hold(rows);
  recording.factor();
  recording.subtract_bias(tau);
  out.a = recording.move_held(tau, recording.k());
  out.clearance = recording.clearance();
  return out;
}

ProjectionTrace trace_projection(const System& system, const IndependentRows& rows, std::size_t most_nodes) {
  const Model& model = system.model();
  ProjectionTrace out;
  out.graph = std::make_unique<Graph>(most_nodes);
  SymbolArrays symbols(*out.graph);
  symbols.add(out.t, 1);
  symbols.add(out.q, model.nq());
  symbols.add(out.v, model.nv());
  const std::vector<Expr> none;
  Recording recording(system, out.t, out.q, out.v, none, none);
  recording.hold(rows);
  recording.factor();
  const std::vector<Expr> no_force(out.v.size());
  out.dq = recording.move_held(no_force, recording.gap());
  out.dv = recording.move_held(no_force, recording.drift());
  out.gap = recording.largest_gap();
  out.drift = recording.largest_drift();
  out.clearance = recording.clearance();
  out.least = recording.least_pivot();
  out.most = recording.largest_pivot();
  return out;
}

}  // namespace cardan

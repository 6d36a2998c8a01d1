#include "cardan/constraints/constraint_tangent.hpp"

#include "cardan/algorithms/jacobian_products.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kDirections = 8;

std::size_t slot(int i) { return static_cast<std::size_t>(i); }

std::vector<Dual8> dual(const In<double>& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

struct ConstraintTangent::Scratch {
  explicit Scratch(const ConstraintSet& set)
      : w(set.model()),
        bodies(set.model()),
        wrenches(slot(set.model().bodies()) + 1),
        motions(wrenches.size()),
        tau(slot(set.model().nv())),
        at_rest(tau),
        x(tau) {
    for (int i = 0; i < set.size(); ++i) {
      rows.emplace_back();
      rows.back().resize(set.constraint(i).touches(), set.constraint(i).rows());
    }
  }

  Workspace<Dual8> w;
  Kinematics<Dual8> bodies;
  std::vector<ForceVector<Dual8>> wrenches;
  std::vector<MotionVector<Dual8>> motions;
  std::vector<Dual8> tau;
  const std::vector<Dual8> at_rest;
  std::vector<Dual8> x;                       // a displacement in the tangent space
  std::vector<ConstraintRowsOf<Dual8>> rows;  // of each constraint
  std::vector<Dual8> q, moved, v, a;

  /// Evaluates all rows at the displaced state.
  void evaluate(const ConstraintSet& set, double t) {
    forward_kinematics<Dual8>(set.model(), w, moved, v, at_rest, bodies);
    const VectorView<const Dual8> none(nullptr, 0);
    const InstantOf<Dual8> instant{set.model(), Dual8(t), moved, v, none, none, bodies};
    for (int i = 0; i < set.size(); ++i) set.constraint(i).differentiate(instant, set.memory(i), rows[slot(i)]);
  }

  /// Adds the derivatives of J' lambda to columns of `out`.
  void pull(const ConstraintSet& set, const In<double>& lambda, int first, int count, Eigen::MatrixXd& out) {
    std::fill(wrenches.begin(), wrenches.end(), ForceVector<Dual8>{});
    add_wrenches(set, lambda);
    jacobian_transpose_product<Dual8>(set.model(), w, moved, wrenches, tau);
    for (int i = 0; i < set.size(); ++i)
      for (int row = 0; row < rows[slot(i)].size(); ++row)
        for (std::size_t k = 0; k < rows[slot(i)].velocities.size(); ++k)
          tau[slot(rows[slot(i)].velocities[k])] +=
              Dual8(lambda[set.first_row(i) + row]) * rows[slot(i)].on_velocities(row, static_cast<Eigen::Index>(k));
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < set.model().nv(); ++i) out(i, first + k) = tau[slot(i)].d[k];
  }
  void add_wrenches(const ConstraintSet& set, const In<double>& lambda) {
    for (int i = 0; i < set.size(); ++i)
      for (const auto& on : rows[slot(i)].on_bodies)
        for (int row = 0; row < rows[slot(i)].size(); ++row)
          wrenches[slot(on.body)] += Dual8(lambda[set.first_row(i) + row]) * on.row[slot(row)];
  }

  /// Sets columns of `out` to the derivatives of J a - k, with stabilization.
  void row_errors(const ConstraintSet& set, const Baumgarte& b, int first, int count, Eigen::MatrixXd& out) {
    jacobian_product<Dual8>(set.model(), w, moved, a, motions);
    for (int i = 0; i < set.size(); ++i) {
      const ConstraintRowsOf<Dual8>& own = rows[slot(i)];
      for (int row = 0; row < own.size(); ++row) {
        Dual8 sum = Dual8(2.0 * b.alpha) * own.drift[row] + Dual8(b.beta * b.beta) * own.gap[row] - own.k[row];
        for (const auto& on : own.on_bodies) sum += dot(motions[slot(on.body)], on.row[slot(row)]);
        for (std::size_t k = 0; k < own.velocities.size(); ++k)
          sum += own.on_velocities(row, static_cast<Eigen::Index>(k)) * a[slot(own.velocities[k])];
        for (int k = 0; k < count; ++k) out(set.first_row(i) + row, first + k) = sum.d[k];
      }
    }
  }
};

ConstraintTangent::ConstraintTangent(const ConstraintSet& set) : scratch_(std::make_unique<Scratch>(set)) {}
ConstraintTangent::~ConstraintTangent() = default;

void ConstraintTangent::compute(ConstraintSet& set, const Baumgarte& stabilization, double t, In<double> q,
                                In<double> v, In<double> a, In<double> lambda, const Want& want) {
  Scratch& s = *scratch_;
  const Model& model = set.model();
  const int n = model.nv();
  set.evaluate(t, q, v);
  s.moved = s.q = dual(q);
  s.v = dual(v);
  s.a = dual(a);
  if (want.pull_by_q) want.pull_by_q->setZero(n, n);
  for (Eigen::MatrixXd* out : {want.rows_by_q, want.rows_by_v})
    if (out) out->setZero(set.rows(), n);
  for (int first = 0; first < n; first += kDirections) {
    const int count = std::min(kDirections, n - first);
    if (want.pull_by_q || want.rows_by_q) {
      for (int k = 0; k < count; ++k) s.x[slot(first + k)].d[k] = 1.0;
      integrate(model, s.q.data(), s.x.data(), Dual8(1.0), s.moved.data());
      for (int k = 0; k < count; ++k) s.x[slot(first + k)].d[k] = 0.0;
      s.evaluate(set, t);
      if (want.pull_by_q) s.pull(set, lambda, first, count, *want.pull_by_q);
      if (want.rows_by_q) s.row_errors(set, stabilization, first, count, *want.rows_by_q);
      s.moved = s.q;
    }
    if (!want.rows_by_v) continue;
    for (int k = 0; k < count; ++k) s.v[slot(first + k)].d[k] = 1.0;
    s.evaluate(set, t);
    s.row_errors(set, stabilization, first, count, *want.rows_by_v);
    for (int k = 0; k < count; ++k) s.v[slot(first + k)].d[k] = 0.0;
  }
}

}  // namespace cardan

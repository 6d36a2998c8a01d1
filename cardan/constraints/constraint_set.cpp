#include "cardan/constraints/constraint_set.hpp"

#include "cardan/constraints/coupling_constraint.hpp"
#include "cardan/model/internal/characteristic_length.hpp"

#include <algorithm>
#include <numeric>

namespace cardan {

ConstraintSet::ConstraintSet(const Model& model, Include include) : kinematics_(model) {
  if (include != Include::nothing) {
    const double length = characteristic_length(model);
    for (const LoopJoint& loop : model.loops()) add(std::make_shared<const LoopConstraint>(loop, length));
  }
  if (include == Include::loops_and_couplings)
    for (const Coupling& coupling : model.couplings()) add(std::make_shared<const CouplingConstraint>(model, coupling));
}

void ConstraintSet::add(std::shared_ptr<const Constraint> constraint) {
  Member m;
  m.constraint = std::move(constraint);
  m.memory = m.constraint->make_memory();
  const Touches touches = m.constraint->touches();
  const int n = m.constraint->rows();
  m.rows.resize(touches, n);
  m.first = rows_;
  rows_ += n;
  if (touches.relative && touches.bodies.size() > 1) {
    m.above = touches.bodies[0];
    for (const int body : touches.bodies) m.above = model().common_ancestor(m.above, body);
  }
  members_.push_back(std::move(m));
  for (Eigen::VectorXd* x : {&k_, &gap_, &drift_}) x->setZero(rows_);
}

void ConstraintSet::reset_warm_start() {
  for (Member& m : members_)
    if (m.memory) m.memory->reset_warm_start();
}

void ConstraintSet::evaluate(double t, In<double> q, In<double> v) {
  evaluate(kinematics_.with_accelerations(t, q, v));
}

void ConstraintSet::evaluate(const Instant& at) {
  for (Member& m : members_) {
    m.constraint->evaluate(at, m.memory.get(), m.rows);
    k_.segment(m.first, m.rows.size()) = m.rows.k;
    gap_.segment(m.first, m.rows.size()) = m.rows.gap;
    drift_.segment(m.first, m.rows.size()) = m.rows.drift;
  }
}

std::vector<int> ConstraintSet::velocities(int i) const {
  const Member& m = member(i);
  std::vector<int> out = m.rows.velocities;
  for (const auto& end : m.rows.on_bodies)
    for (int body = end.body; body != m.above; body = model().link(body).parent)
      for (int k = 0; k < model().link(body).nv; ++k) out.push_back(model().link(body).v + k);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

template <class Visit>
void ConstraintSet::pass_down(int body, int above, std::vector<ForceVector<double>> f, const Visit& visit) const {
  for (; body != above; body = model().link(body).parent) {
    const Link& link = model().link(body);
    const Transform<double>& X = bodies().X[static_cast<std::size_t>(body)];
    for (std::size_t i = 0; i < f.size(); ++i) {
      for (int k = link.v; k < link.v + link.nv; ++k)
        visit(static_cast<int>(i), k, dot(bodies().S[static_cast<std::size_t>(k)], f[i]));
      f[i] = transpose_apply(X, f[i]);
    }
  }
}

template <class Visit>
void ConstraintSet::each_entry(const Member& m, const Visit& visit) const {
  for (std::size_t i = 0; i < m.rows.velocities.size(); ++i)
    for (int row = 0; row < m.rows.size(); ++row)
      visit(row, m.rows.velocities[i], m.rows.on_velocities(row, static_cast<Eigen::Index>(i)));
  for (const auto& end : m.rows.on_bodies) pass_down(end.body, m.above, end.row, visit);
}

void ConstraintSet::add_loop_force(int i, const ForceVector<double>& on_successor,
                                   Eigen::Ref<Eigen::VectorXd> tau) const {
  const Member& m = member(i);
  const LoopState& state = *loop(i);
  const auto [on_p, on_s] = state.on_both_bodies(on_successor);
  for (const auto& end : m.rows.on_bodies)
    pass_down(end.body, m.above, {end.body == state.loop().successor.body ? on_s : on_p},
              [&](int, int velocity, double entry) { tau[velocity] += entry; });
}

void ConstraintSet::block(int i, Eigen::Ref<Eigen::MatrixXd> out) const {
  const std::vector<int> columns = velocities(i);
  out.setZero();
  each_entry(member(i), [&](int row, int velocity, double entry) {
    out(row, std::lower_bound(columns.begin(), columns.end(), velocity) - columns.begin()) += entry;
  });
}

void ConstraintSet::matrix(Eigen::Ref<Eigen::MatrixXd> J) const {
  J.setZero();
  for (const Member& m : members_)
    each_entry(m, [&](int row, int velocity, double entry) { J(m.first + row, velocity) += entry; });
}

std::vector<std::vector<int>> ConstraintSet::clusters() const {
  std::vector<int> group(members_.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&group](int i) {
    while (group[static_cast<std::size_t>(i)] != i) i = group[static_cast<std::size_t>(i)];
    return i;
  };
  std::vector<int> touched_by(static_cast<std::size_t>(model().nv()), -1);
  for (int i = 0; i < size(); ++i)
    for (const int v : velocities(i)) {
      int& first = touched_by[static_cast<std::size_t>(v)];
      if (first < 0) first = i;
      const int a = root(first), b = root(i);
      group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::vector<int>> out;
  std::vector<int> number(members_.size(), -1);
  for (int i = 0; i < size(); ++i) {
    int& n = number[static_cast<std::size_t>(root(i))];
    if (n < 0) {
      n = static_cast<int>(out.size());
      out.emplace_back();
    }
    out[static_cast<std::size_t>(n)].push_back(i);
  }
  return out;
}

}  // namespace cardan

#include "cardan/constraints/internal/sparse_solver.hpp"

#include <algorithm>
#include <limits>

namespace cardan {

SparseSolver::SparseSolver(const ConstraintSet& set)
    : ConstraintSolver(set.model()), model_(set.model()), rows_(set.rows()), graph_(model_, set) {}

void SparseSolver::prepare(const ConstraintSet& set) {
  graph_.set_joints(set.bodies());
  graph_.set_constraints(set);
  graph_.begin();
}

bool SparseSolver::solve_graph(Out<double> a) {
  if (graph_.solve()) return true;
  // what is not a number stops an integrator; what is merely wrong would not
  std::fill_n(a.data(), a.size(), std::numeric_limits<double>::quiet_NaN());
  return false;
}

void SparseSolver::forward_dynamics(In<double>, In<double>, const ConstraintSet& set, In<double> tau, In<double> k,
                                    Out<double> a, Out<double> lambda) {
  prepare(set);
  const Kinematics<double>& bodies = set.bodies();
  const auto product = [&](int i) {  // velocity products of a joint
    const int p = model_.link(i).parent;
    return bodies.a[static_cast<std::size_t>(i)] -
           bodies.X[static_cast<std::size_t>(i)] * bodies.a[static_cast<std::size_t>(p)];
  };
  // the unknowns are true accelerations: forces act on bodies, rows have their velocity products
  for (int i = 1; i <= model_.bodies(); ++i) {
    const Link& link = model_.link(i);
    const MotionVector<double>& v = bodies.v[static_cast<std::size_t>(i)];
    const MotionVector<double> gravity{{}, rotate(bodies.X_0[static_cast<std::size_t>(i)].E, model_.gravity())};
    graph_.add_force(i, link.I * gravity - cross(v, link.I * v));
    for (int j = link.v; j < link.v + link.nv; ++j) graph_.add_joint_force(j, tau[j]);
    const MotionVector<double> c = product(i);
    graph_.set_joint_motion(i, c);
    graph_.add_armature_force(i, c);
  }
  for (int i = 0; i < set.size(); ++i) {
    const ConstraintRows& rows = set.rows_of(i);
    for (int r = 0; r < rows.size(); ++r) {
      double& target = graph_.constraint_target(set.first_row(i) + r);
      target = k[set.first_row(i) + r];
      for (const auto& on : rows.on_bodies)
        target += dot(bodies.a[static_cast<std::size_t>(on.body)], on.row[static_cast<std::size_t>(r)]);
      for (std::size_t j = 0; j < rows.velocities.size(); ++j) {
        const int body = model_.body_of_dof(rows.velocities[j]);
        double rates[6];
        graph_.joint_rates(body, product(body), rates);
        target += rows.on_velocities(r, static_cast<Eigen::Index>(j)) * rates[rows.velocities[j] - model_.link(body).v];
      }
    }
  }
  if (!solve_graph(a)) return;
  for (int i = 1; i <= model_.bodies(); ++i)
    graph_.joint_rates(i, graph_.relative(i) - product(i), a.data() + model_.link(i).v);
  for (int i = 0; i < rows_; ++i) lambda[i] = graph_.multiplier(i);
}

void SparseSolver::solve(In<double>, const ConstraintSet& set, In<double> f, In<double> k, Out<double> a,
                         Out<double> lambda) {
  prepare(set);
  for (int v = 0; v < model_.nv(); ++v) graph_.add_joint_force(v, f[v]);
  for (int i = 0; i < rows_; ++i) graph_.constraint_target(i) = k[i];
  if (!solve_graph(a)) return;
  for (int i = 1; i <= model_.bodies(); ++i) graph_.joint_rates(i, graph_.relative(i), a.data() + model_.link(i).v);
  for (int i = 0; i < rows_; ++i) lambda[i] = graph_.multiplier(i);
}

}  // namespace cardan

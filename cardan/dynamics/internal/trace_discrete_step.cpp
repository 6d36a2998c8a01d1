#include "cardan/dynamics/internal/trace_discrete_step.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/dynamics/internal/discrete_tree_passes.hpp"
#include "cardan/symbolic/graph.hpp"

#include <optional>

namespace cardan {

namespace {

using SymbolicTree = DiscreteTree<Expr, ShortTurn>;

/// Symbols for the arrays of a step, in the order in which they lie.
struct StepSymbols {
  StepSymbols(Graph& graph, const Model& model) {
    int next = 0;
    const auto fill = [&](std::vector<Expr>& array, int n) {
      for (int i = 0; i < n; ++i) array.push_back(graph.input(next++));
    };
    fill(q0, model.nq());
    fill(q1, model.nq());
    for (auto* array : {&x, &momentum, &diagonal}) fill(*array, model.nv());
    h = graph.input(next++);
    count = next;
  }
  std::vector<Expr> q0, q1, x, momentum, diagonal;
  Expr h;
  int count = 0;
};

/// Appends the correction of Newton's method, by the factor that the tree has, and the least cosine.
std::vector<Expr> newton_step(SymbolicTree& tree, StepSymbols& s, Expr least_cosine) {
  std::vector<Expr> r(s.x.size()), dx(s.x.size());
  tree.left_momentum(s.x, s.h, r);
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = s.momentum[k] - r[k];
  tree.solve(r, dx);
  dx.push_back(least_cosine);
  return dx;
}

}  // namespace

DiscreteStepPrograms trace_discrete_step(const Model& model, std::size_t most_nodes) {
  DiscreteStepPrograms programs;
  std::vector<Expr> varying;                     // of the factor
  std::vector<std::optional<double>> constants;  // its other entries; none: varies
  Graph graph(most_nodes), reuse_graph(most_nodes), finish_graph(most_nodes);
  {
    StepSymbols s(graph, model);
    SymbolicTree tree(model);
    tree.start(s.q0);
    const Expr least = tree.move(s.q1, s.x, s.h);
    tree.factorize(s.h, s.diagonal);
    const std::vector<Expr> dx = newton_step(tree, s, least);
    tree.for_each_factor_entry([&](Expr& e) {
      constants.push_back(e.is_constant() ? std::optional(e.value()) : std::nullopt);
      if (!e.is_constant()) varying.push_back(e);
    });
    programs.newton = make_program(graph, {{s.count}, {dx, varying}});
  }
  {
    StepSymbols s(reuse_graph, model);
    SymbolicTree tree(model);
    tree.start(s.q0);
    const Expr least = tree.move(s.q1, s.x, s.h);
    int next = s.count;
    std::size_t entry = 0;
    tree.for_each_factor_entry([&](Expr& e) {
      const auto& constant = constants[entry++];
      e = constant ? Expr(*constant) : reuse_graph.input(next++);
    });
    programs.reuse =
        make_program(reuse_graph, {{s.count, static_cast<int>(varying.size())}, {newton_step(tree, s, least)}});
  }
  {
    StepSymbols s(finish_graph, model);
    SymbolicTree tree(model);
    tree.start(s.q0);
    (void)tree.move(s.q1, s.x, s.h);
    std::vector<Expr> total = s.momentum, out(2 * total.size());
    tree.right_momentum(s.x, s.h, Out<Expr>(out.data(), model.nv()));
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += out[k];
    Workspace<Expr> workspace(model);
    inverse_mass_matrix_product<Expr>(model, workspace, s.q1, total, Out<Expr>(out.data() + total.size(), model.nv()));
    programs.finish = make_program(finish_graph, {{s.count}, {out}});
  }
  programs.factor_size = static_cast<int>(varying.size());
  return programs;
}

}  // namespace cardan

#include "benchmarks/differentiation/tables.hpp"

#include "benchmarks/differentiation/functions.hpp"
#include "cardan/joints/expression.hpp"
#include "cardan/joints/internal/derived_kinematics.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <fmt/format.h>

#include <ctime>

namespace cardan::bench {

namespace {

/// Of processor time: other programs do not count.
class Stopwatch {
 public:
  double milliseconds() const { return 1e3 * static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

/// Of one function: all first derivatives, or the one along a motion. Returns what is used.
std::vector<Expr> add_counts(std::string& table, bool with_times, const std::string& name, Graph& graph,
                             std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> rates = {}) {
  const Stopwatch watch;
  const CheapestJacobian best =
      rates.empty() ? cheapest_jacobian(graph, f, x) : cheapest_derivative_along(graph, f, x, rates);
  const double ms = watch.milliseconds();
  const auto [forward, reverse, dstar] = best.operations;
  table += fmt::format("| {:38} | {:3} | {:2} | {:5} | {:7} | {:7} | {:5} | {:5} |", name, f.size(), x.size(),
                       count_operations(graph, f).total(), forward, reverse, dstar,
                       count_operations(graph, f, best.entries).total());
  table += fmt::format("{}\n", with_times ? fmt::format(" {:6.1f} ms |", ms) : "");
  return best.entries;
}

}  // namespace

std::string counts_table(bool with_times) {
  std::string table;
  table += fmt::format("| {:38} | out | in | alone | forward | reverse | {:>5} |  used |{}\n", "function", "D*",
                       with_times ? "      time |" : "");
  table += fmt::format("|{:-<40}|-----|----|-------|---------|---------|-------|-------|{}\n", "",
                       with_times ? "-----------|" : "");
  for (int order = 1; order <= 8; ++order) {
    Graph graph;
    const std::vector<Expr> x = inputs(graph, 0, 3), Y = spherical_harmonics(order, x[0], x[1], x[2]);
    add_counts(table, with_times, fmt::format("spherical harmonics to order {}", order), graph, Y, x);
  }
  {
    Graph graph;
    const std::vector<Expr> x = inputs(graph, 0, 2);
    const Expr f[] = {long_chain(100, x[0], x[1])};
    add_counts(table, with_times, "x <- sin(x) x + a, 100 steps", graph, f, x);
  }
  for (const PoseFunction& joint : surface_and_curve_joints()) {
    Graph graph;
    const int n = joint.coordinates;
    const std::vector<Expr> q = inputs(graph, 0, n), q_dot = inputs(graph, n, n);
    const Pose<Expr> G = joint.pose(q);
    const std::vector<Expr> dG = add_counts(table, with_times, joint.name + ": G to S", graph, pose_entries(G), q),
                            v_J = joint_velocity(motion_subspace(G, dG, n), q_dot);
    add_counts(table, with_times, joint.name + ": v_J to c_J", graph, v_J, q, q_dot);
  }
  return table;
}

std::string joints_table(bool with_times) {
  std::string table;
  table += fmt::format("| {:26} | coordinates | G, S and c_J from the whole pose | factor by factor |{}\n", "joint",
                       with_times ? "      time |" : "");
  table += fmt::format("|{:-<28}|-------------|----------------------------------|------------------|{}\n", "",
                       with_times ? "-----------|" : "");
  for (const PoseFunction& joint : surface_and_curve_joints()) {
    const Stopwatch watch;
    const ExpressionJoint derived(joint.coordinates, joint.pose);
    const double ms = watch.milliseconds();
    table += fmt::format("| {:26} | {:11} | {:32} | {:16} |", joint.name, joint.coordinates, derived.operations(),
                         joint.as_product.operations());
    table += fmt::format("{}\n", with_times ? fmt::format(" {:6.1f} ms |", ms) : "");
  }
  return table;
}

}  // namespace cardan::bench

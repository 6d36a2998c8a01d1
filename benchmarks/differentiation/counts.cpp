// Prints how many operations forward mode, reverse mode and D* take, function and derivatives together, and which is
// used: the table of docs/differentiation.md.
#include "benchmarks/differentiation/functions.hpp"
#include "cardan/joints/derived_kinematics.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstring>

namespace {

using namespace cardan;
using Clock = std::chrono::steady_clock;

bool with_times = false;

std::vector<Expr> inputs(Graph& graph, int first, int n) {
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) x.push_back(graph.input(first + i));
  return x;
}

/// Of one function: all first derivatives, or the one along a motion.
std::vector<Expr> line(const std::string& name, Graph& graph, std::span<const Expr> f, std::span<const Expr> x,
                       std::span<const Expr> rates = {}) {
  const Clock::time_point start = Clock::now();
  const CheapestJacobian best =
      rates.empty() ? cheapest_jacobian(graph, f, x) : cheapest_derivative_along(graph, f, x, rates);
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  fmt::print("| {:38} | {:3} | {:2} | {:5} | {:7} | {:7} | {:5} | {:5} |", name, f.size(), x.size(),
             count_operations(graph, f).total(), best.operations[0], best.operations[1], best.operations[2],
             count_operations(graph, f, best.entries).total());
  if (with_times) fmt::print(" {:6.2f} ms |", ms);
  fmt::print("\n");
  return best.entries;
}

}  // namespace

int main(int argc, char** argv) {
  with_times = argc > 1 && std::strcmp(argv[1], "--times") == 0;
  fmt::print("| {:38} | out | in | {:>5} | forward | reverse | {:>5} | {:>5} |{}\n", "function", "alone", "D*", "used",
             with_times ? "   time    |" : "");
  fmt::print("|{:-<40}|-----|----|-------|---------|---------|-------|-------|{}\n", "",
             with_times ? "-----------|" : "");
  for (int order = 1; order <= 8; ++order) {
    Graph graph;
    const Recording recording(graph);
    const std::vector<Expr> x = inputs(graph, 0, 3), Y = bench::spherical_harmonics(order, x[0], x[1], x[2]);
    line(fmt::format("spherical harmonics to order {}", order), graph, Y, x);
  }
  {
    Graph graph;
    const Recording recording(graph);
    const std::vector<Expr> x = inputs(graph, 0, 2);
    const Expr f[] = {bench::long_chain(100, x[0], x[1])};
    line("x <- sin(x) x + a, 100 steps", graph, f, x);
  }
  for (const bench::PoseFunction& joint : bench::surface_and_curve_joints()) {
    Graph graph;
    const Recording recording(graph);
    const int n = joint.coordinates;
    const std::vector<Expr> q = inputs(graph, 0, n), q_dot = inputs(graph, n, n);
    const Pose<Expr> G = joint.pose(q);
    const std::vector<Expr> dG = line(joint.name + ": G to S", graph, pose_entries(G), q);
    const std::vector<Expr> v_J = joint_velocity(motion_subspace(G, dG, n), q_dot);
    line(joint.name + ": v_J to c_J", graph, v_J, q, q_dot);
  }
}

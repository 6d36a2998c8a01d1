// Prints how many operations forward mode, reverse mode and D* take, function and derivatives together, and what is
// used; then what whole joints take: the tables of docs/differentiation.md. With --times also how long deriving took.
#include "benchmarks/differentiation/functions.hpp"
#include "cardan/joints/derived_kinematics.hpp"
#include "cardan/joints/expression.hpp"
#include "cardan/symbolic/differentiate.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>

namespace {

using namespace cardan;

class Stopwatch {
 public:
  double milliseconds() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

std::vector<Expr> inputs(Graph& graph, int first, int n) {
  std::vector<Expr> x;
  for (int i = 0; i < n; ++i) x.push_back(graph.input(first + i));
  return x;
}

/// Of one function: all first derivatives, or the one along a motion. Returns what is used.
std::vector<Expr> print_counts(bool with_times, const std::string& name, Graph& graph, std::span<const Expr> f,
                               std::span<const Expr> x, std::span<const Expr> rates = {}) {
  const Stopwatch watch;
  const CheapestJacobian best =
      rates.empty() ? cheapest_jacobian(graph, f, x) : cheapest_derivative_along(graph, f, x, rates);
  const double ms = watch.milliseconds();
  const auto [forward, reverse, dstar] = best.operations;
  fmt::print("| {:38} | {:3} | {:2} | {:5} | {:7} | {:7} | {:5} | {:5} |", name, f.size(), x.size(),
             count_operations(graph, f).total(), forward, reverse, dstar,
             count_operations(graph, f, best.entries).total());
  fmt::print("{}\n", with_times ? fmt::format(" {:6.1f} ms |", ms) : "");
  return best.entries;
}

void print_functions(bool with_times) {
  fmt::print("| {:38} | out | in | alone | forward | reverse | {:>5} |  used |{}\n", "function", "D*",
             with_times ? "      time |" : "");
  fmt::print("|{:-<40}|-----|----|-------|---------|---------|-------|-------|{}\n", "",
             with_times ? "-----------|" : "");
  for (int order = 1; order <= 8; ++order) {
    Graph graph;
    const Recording recording(graph);
    const std::vector<Expr> x = inputs(graph, 0, 3), Y = bench::spherical_harmonics(order, x[0], x[1], x[2]);
    print_counts(with_times, fmt::format("spherical harmonics to order {}", order), graph, Y, x);
  }
  {
    Graph graph;
    const Recording recording(graph);
    const std::vector<Expr> x = inputs(graph, 0, 2);
    const Expr f[] = {bench::long_chain(100, x[0], x[1])};
    print_counts(with_times, "x <- sin(x) x + a, 100 steps", graph, f, x);
  }
  for (const bench::PoseFunction& joint : bench::surface_and_curve_joints()) {
    Graph graph;
    const Recording recording(graph);
    const int n = joint.coordinates;
    const std::vector<Expr> q = inputs(graph, 0, n), q_dot = inputs(graph, n, n);
    const Pose<Expr> G = joint.pose(q);
    const std::vector<Expr> dG = print_counts(with_times, joint.name + ": G to S", graph, pose_entries(G), q),
                            v_J = joint_velocity(motion_subspace(G, dG, n), q_dot);
    print_counts(with_times, joint.name + ": v_J to c_J", graph, v_J, q, q_dot);
  }
}

void print_joints(bool with_times) {
  fmt::print("\n| {:26} | coordinates | operations of G, S and c_J |{}\n", "joint", with_times ? "      time |" : "");
  fmt::print("|{:-<28}|-------------|----------------------------|{}\n", "", with_times ? "-----------|" : "");
  for (const bench::PoseFunction& joint : bench::surface_and_curve_joints()) {
    const Stopwatch watch;
    const ExpressionJoint derived(joint.coordinates, joint.pose);
    const double ms = watch.milliseconds();
    fmt::print("| {:26} | {:11} | {:26} |", joint.name, joint.coordinates, derived.operations());
    fmt::print("{}\n", with_times ? fmt::format(" {:6.1f} ms |", ms) : "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_times = argc > 1 && std::strcmp(argv[1], "--times") == 0;
  print_functions(with_times);
  print_joints(with_times);
}

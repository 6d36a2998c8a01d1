#include "cardan/joints/expression.hpp"

#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/parse.hpp"

#include <cmath>

namespace cardan {

namespace {

constexpr std::size_t kMostNodes = 1'000'000;  // hostile text must not fill the memory

void check_count(std::size_t n) {
  if (n < 1 || n > 6)
    throw std::invalid_argument("an expression joint has 1 to 6 coordinates, found " + std::to_string(n));
}

std::vector<Expr> inputs(Graph& graph, int n) {
  std::vector<Expr> q;
  for (int i = 0; i < n; ++i) q.push_back(graph.input(i));
  return q;
}

/// A pose is a rotation and a shift, whatever the coordinates: tried at a few places.
void check_rigid(const Graph& graph, std::span<const Expr> pose, int n) {
  for (int round = 0; round < 4; ++round) {
    std::vector<double> q;
    for (int i = 0; i < n; ++i) q.push_back(0.1 + 0.37 * round + 0.21 * i);
    const std::vector<double> G = evaluate(graph, pose, q);
    bool known = true;
    for (const double x : G) known = known && std::isfinite(x);
    if (!known) continue;  // outside the domain of its functions
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        double dot = 0.0;
        for (std::size_t k = 0; k < 3; ++k) dot += G[3 * i + k] * G[3 * j + k];
        if (std::abs(dot - (i == j ? 1.0 : 0.0)) > 1e-9)
          throw std::invalid_argument("the transform is no rigid motion: its rotation part is not orthogonal");
      }
  }
}

}  // namespace

ExpressionJoint::ExpressionJoint(int coordinates, const PoseFunction& pose, const char* kind)
    : n_(coordinates), kind_(kind) {
  check_count(static_cast<std::size_t>(coordinates));
  Graph graph(kMostNodes);
  const Recording recording(graph);
  const std::vector<Expr> q = inputs(graph, n_);
  derive(graph, q, pose(q));
}

ExpressionJoint::ExpressionJoint(const std::vector<std::string>& coordinates, const std::string& transform,
                                 const std::vector<std::pair<std::string, double>>& parameters,
                                 const std::vector<Definition>& let)
    : n_(static_cast<int>(coordinates.size())) {
  check_count(coordinates.size());
  Graph graph(kMostNodes);
  const Recording recording(graph);
  const std::vector<Expr> q = inputs(graph, n_);
  Symbols symbols;
  for (const auto& [symbol, value] : parameters) symbols[symbol] = Expr(value);
  for (std::size_t i = 0; i < coordinates.size(); ++i) symbols[coordinates[i]] = q[i];
  define(symbols, let);
  derive(graph, q, parse_transform(transform, symbols));
}

void ExpressionJoint::derive(Graph& graph, std::span<const Expr> q, const Pose<Expr>& G) {
  const auto n = static_cast<std::size_t>(n_);
  std::vector<Expr> pose;
  for (const auto& row : G.R.row)
    for (int j = 0; j < 3; ++j) pose.push_back(row[j]);
  for (int j = 0; j < 3; ++j) pose.push_back(G.p[j]);
  check_rigid(graph, pose, n_);

  // [S_i]x = R' dR/dq_i, and R' dp/dq_i below it
  const std::vector<Expr> dG = cheapest_jacobian(graph, pose, q).entries;
  const auto d = [&](int row, std::size_t i) { return dG[static_cast<std::size_t>(row) * n + i]; };
  std::vector<Expr> S;
  for (std::size_t i = 0; i < n; ++i) {
    const auto spin = [&](int a, int b) {
      return G.R(0, a) * d(b, i) + G.R(1, a) * d(3 + b, i) + G.R(2, a) * d(6 + b, i);
    };
    S.insert(S.end(), {spin(2, 1), spin(0, 2), spin(1, 0)});
    for (int a = 0; a < 3; ++a) S.push_back(G.R(0, a) * d(9, i) + G.R(1, a) * d(10, i) + G.R(2, a) * d(11, i));
  }

  // c_J = d(S v)/dq v
  std::vector<Expr> v_J(6), c_J(6);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t row = 0; row < 6; ++row) v_J[row] += S[6 * i + row] * graph.input(n_ + static_cast<int>(i));
  const std::vector<Expr> dv_J = cheapest_jacobian(graph, v_J, q).entries;
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t j = 0; j < n; ++j) c_J[row] += dv_J[row * n + j] * graph.input(n_ + static_cast<int>(j));

  std::vector<Expr> outputs(pose);
  outputs.insert(outputs.end(), S.begin(), S.end());
  outputs.insert(outputs.end(), c_J.begin(), c_J.end());
  Tape tape(graph, outputs, 2 * n_);
  if (tape.slots() > kMostSlots)
    throw GraphTooLarge("the joint needs " + std::to_string(tape.slots()) + " values at once, at most " +
                        std::to_string(kMostSlots) + " are possible");
  tape_ = std::make_shared<const Tape>(std::move(tape));
}

}  // namespace cardan

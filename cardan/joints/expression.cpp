#include "cardan/joints/expression.hpp"

#include "cardan/joints/internal/derived_kinematics.hpp"
#include "cardan/joints/internal/parse_transform.hpp"
#include "cardan/joints/internal/product_motion.hpp"

#include <cmath>

namespace cardan {

namespace {

// hostile text must neither fill the memory nor take forever to differentiate
constexpr std::size_t kMostNodes = 1'000'000, kMostPoseNodes = 5'000;

void check_coordinates(std::size_t n) {
  if (n < 1 || n > 6)
    throw std::invalid_argument("an expression joint has 1 to 6 coordinates, found " + std::to_string(n));
}

std::vector<Expr> inputs(Graph& graph, int first, int n) {
  std::vector<Expr> q;
  for (int i = 0; i < n; ++i) q.push_back(graph.input(first + i));
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
    const double determinant =
        G[0] * (G[4] * G[8] - G[5] * G[7]) + G[1] * (G[5] * G[6] - G[3] * G[8]) + G[2] * (G[3] * G[7] - G[4] * G[6]);
    if (determinant < 0.0)
      throw std::invalid_argument("the transform is no rigid motion: its rotation part is a reflection");
  }
}

}  // namespace

ExpressionJoint::ExpressionJoint(int coordinates, const PoseFunction& pose, const char* kind)
    : n_(coordinates), kind_(kind) {
  check_coordinates(static_cast<std::size_t>(coordinates));
  Graph graph(kMostNodes);
  const std::vector<Expr> q = inputs(graph, 0, n_);
  derive(graph, q, pose(q));
}

ExpressionJoint::ExpressionJoint(const std::vector<std::string>& coordinates, const std::string& transform,
                                 const std::vector<std::pair<std::string, double>>& parameters,
                                 const std::vector<Definition>& let, const Symbols& scene)
    : n_(static_cast<int>(coordinates.size())), names_(coordinates) {
  check_coordinates(coordinates.size());
  Graph graph(kMostNodes);
  const std::vector<Expr> q = inputs(graph, 0, n_);
  Symbols symbols = scene;
  for (const Definition& helper : let) symbols.erase(helper.name);
  for (const auto& [symbol, value] : parameters) symbols[symbol] = Expr(value);
  for (std::size_t i = 0; i < coordinates.size(); ++i) symbols[coordinates[i]] = q[i];
  define(symbols, let);
  derive(graph, q, parse_transform(transform, symbols));
}

void ExpressionJoint::derive(Graph& graph, std::span<const Expr> q, const MotionProduct& G) {
  std::vector<Expr> outputs = pose_entries(G.pose());
  if (const std::size_t nodes = reachable(graph, outputs).size(); nodes > kMostPoseNodes)
    throw GraphTooLarge("the pose takes " + std::to_string(nodes) + " operations, at most " +
                        std::to_string(kMostPoseNodes) + " are possible");
  check_rigid(graph, outputs, n_);
  const ProductMotion motion = motion_of_product(graph, G, q, inputs(graph, n_, n_));
  for (const MotionVector<Expr>& column : motion.S) append_entries(outputs, column);
  append_entries(outputs, motion.c_J);
  FrozenGraph symbolic(graph, outputs);
  Program program = make_program(symbolic.graph(), symbolic.outputs(), 2 * n_);
  Interpreter interpreter(program);
  if (interpreter.scratch() > kMostSlots)
    throw GraphTooLarge("the joint needs " + std::to_string(interpreter.scratch()) + " values at once, at most " +
                        std::to_string(kMostSlots) + " are possible");
  motion_ = std::make_shared<const Motion>(Motion{std::move(symbolic), std::move(program), std::move(interpreter)});
}

}  // namespace cardan

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

using Motion = Twist<Expr>;

/// Row by row, then the position.
std::vector<Expr> entries(const Pose<Expr>& G) {
  std::vector<Expr> out;
  for (const auto& row : G.R.row) out.insert(out.end(), std::begin(row.e), std::end(row.e));
  out.insert(out.end(), std::begin(G.p.e), std::end(G.p.e));
  return out;
}
void append(std::vector<Expr>& out, const Motion& m) {
  out.insert(out.end(), std::begin(m.angular.e), std::end(m.angular.e));
  out.insert(out.end(), std::begin(m.linear.e), std::end(m.linear.e));
}

Motion operator+(const Motion& a, const Motion& b) { return {a.angular + b.angular, a.linear + b.linear}; }
Motion operator*(Expr s, const Motion& a) { return {s * a.angular, s * a.linear}; }
Motion cross(const Motion& a, const Motion& b) {
  return {cross(a.angular, b.angular), plus_cross(cross(a.angular, b.linear), a.linear, b.angular)};
}
/// The same motion seen from a frame that stands at the pose.
Motion seen_from(const Pose<Expr>& pose, const Motion& m) {
  return {transpose_apply(pose.R, m.angular), transpose_apply(pose.R, plus_cross(m.linear, m.angular, pose.p))};
}

/// S and c_J of a product of motions, factor by factor as along a chain of bodies.
class ProductMotion {
 public:
  ProductMotion(Graph& graph, std::span<const Expr> q, std::span<const Expr> v)
      : graph_(graph), q_(q), v_(v), S_(q.size()) {}

  void append(const MotionFactor& factor) {
    const std::vector<Motion> own = subspace(factor);
    const Motion own_velocity = velocity(own), carried = seen_from(factor.pose, v_J_);
    c_J_ = seen_from(factor.pose, c_J_) + rate(factor, own, own_velocity) + cross(carried, own_velocity);
    v_J_ = carried + own_velocity;
    for (std::size_t i = 0; i < S_.size(); ++i) S_[i] = seen_from(factor.pose, S_[i]) + own[i];
  }
  const std::vector<Motion>& S() const { return S_; }
  const Motion& c_J() const { return c_J_; }

 private:
  /// d outputs / dq v.
  std::vector<Expr> along_v(std::span<const Expr> outputs) {
    const std::vector<Expr> J = cheapest_jacobian(graph_, outputs, q_).entries;
    std::vector<Expr> out(outputs.size());
    for (std::size_t row = 0; row < outputs.size(); ++row)
      for (std::size_t i = 0; i < q_.size(); ++i) out[row] += J[row * q_.size() + i] * v_[i];
    return out;
  }

  std::vector<Motion> subspace(const MotionFactor& factor) {
    const std::size_t n = q_.size();
    std::vector<Motion> S(n);
    if (factor.kind == MotionFactor::Kind::screw) {
      const std::vector<Expr> d = cheapest_jacobian(graph_, std::span(&factor.amount, 1), q_).entries;
      for (std::size_t i = 0; i < n; ++i) S[i] = d[i] * factor.twist;
      return S;
    }
    // [S_i]x = R' dR/dq_i, and R' dp/dq_i below it
    const Pose<Expr>& G = factor.pose;
    const std::vector<Expr> dG = cheapest_jacobian(graph_, entries(G), q_).entries;
    for (std::size_t i = 0; i < n; ++i) {
      const auto d = [&](int row) { return dG[static_cast<std::size_t>(row) * n + i]; };
      const auto spin = [&](int a, int b) { return G.R(0, a) * d(b) + G.R(1, a) * d(3 + b) + G.R(2, a) * d(6 + b); };
      S[i] = {{spin(2, 1), spin(0, 2), spin(1, 0)}, transpose_apply(G.R, Vec3<Expr>{d(9), d(10), d(11)})};
    }
    return S;
  }

  Motion velocity(const std::vector<Motion>& S) const {
    Motion sum;
    for (std::size_t i = 0; i < S.size(); ++i) sum = sum + v_[i] * S[i];
    return sum;
  }

  /// S_dot v of one factor.
  Motion rate(const MotionFactor& factor, const std::vector<Motion>& S, const Motion& velocity) {
    if (factor.kind == MotionFactor::Kind::screw) {
      Expr speed;
      const std::vector<Expr> d = cheapest_jacobian(graph_, std::span(&factor.amount, 1), q_).entries;
      for (std::size_t i = 0; i < S.size(); ++i) speed += d[i] * v_[i];
      return along_v(std::span(&speed, 1))[0] * factor.twist;
    }
    std::vector<Expr> moving;
    cardan::append(moving, velocity);
    const std::vector<Expr> d = along_v(moving);
    return {{d[0], d[1], d[2]}, {d[3], d[4], d[5]}};
  }

  Graph& graph_;
  std::span<const Expr> q_, v_;
  std::vector<Motion> S_;
  Motion v_J_, c_J_;
};

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

void ExpressionJoint::derive(Graph& graph, std::span<const Expr> q, const MotionProduct& G) {
  const std::vector<Expr> pose = entries(G.pose());
  check_rigid(graph, pose, n_);
  std::vector<Expr> v;
  for (int i = 0; i < n_; ++i) v.push_back(graph.input(n_ + i));
  ProductMotion motion(graph, q, v);
  for (const MotionFactor& factor : G.factors()) motion.append(factor);

  std::vector<Expr> outputs(pose);
  for (const Motion& column : motion.S()) append(outputs, column);
  append(outputs, motion.c_J());
  Tape tape(graph, outputs, 2 * n_);
  if (tape.slots() > kMostSlots)
    throw GraphTooLarge("the joint needs " + std::to_string(tape.slots()) + " values at once, at most " +
                        std::to_string(kMostSlots) + " are possible");
  tape_ = std::make_shared<const Tape>(std::move(tape));
}

}  // namespace cardan

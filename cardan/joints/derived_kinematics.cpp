#include "cardan/joints/derived_kinematics.hpp"

#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/factor.hpp"

namespace cardan {

namespace {

/// [c_J]x = R' R_ddot + R_dot' R_dot, and R' p_ddot + R_dot' p_dot below it, where q_ddot = 0.
std::vector<Expr> from_pose_rates(Graph& graph, std::span<const Expr> G, std::span<const Expr> q,
                                  std::span<const Expr> q_dot) {
  const auto along = [&](std::span<const Expr> f) {
    return derivative_along(graph, f, q, q_dot, Differentiation::forward);
  };
  const std::vector<Expr> first = along(G), second = along(first);
  // columns 0 to 2 of an entry list are those of the rotation, column 3 is the position
  const auto entry = [](std::span<const Expr> list, int row, int column) {
    return list[static_cast<std::size_t>(column < 3 ? 3 * row + column : 9 + row)];
  };
  const auto product = [&](int a, int b) {
    Expr sum;
    for (int k = 0; k < 3; ++k) sum += entry(G, k, a) * entry(second, k, b);
    for (int k = 0; k < 3; ++k) sum += entry(first, k, a) * entry(first, k, b);
    return sum;
  };
  return {product(2, 1), product(0, 2), product(1, 0), product(0, 3), product(1, 3), product(2, 3)};
}

}  // namespace

std::vector<Expr> pose_entries(const Pose<Expr>& G) {
  std::vector<Expr> pose;
  for (const auto& row : G.R.row)
    for (int j = 0; j < 3; ++j) pose.push_back(row[j]);
  for (int j = 0; j < 3; ++j) pose.push_back(G.p[j]);
  return pose;
}

std::vector<Expr> motion_subspace(const Pose<Expr>& G, std::span<const Expr> dG, int n) {
  // [S_i]x = R' dR/dq_i, and R' dp/dq_i below it
  std::vector<Expr> S;
  for (int i = 0; i < n; ++i) {
    const auto d = [&](int row) { return dG[static_cast<std::size_t>(row * n + i)]; };
    const auto spin = [&](int a, int b) { return G.R(0, a) * d(b) + G.R(1, a) * d(3 + b) + G.R(2, a) * d(6 + b); };
    S.insert(S.end(), {spin(2, 1), spin(0, 2), spin(1, 0)});
    for (int a = 0; a < 3; ++a) S.push_back(G.R(0, a) * d(9) + G.R(1, a) * d(10) + G.R(2, a) * d(11));
  }
  return S;
}

std::vector<Expr> joint_velocity(std::span<const Expr> S, std::span<const Expr> q_dot) {
  std::vector<Expr> v_J(6);
  for (std::size_t i = 0; i < q_dot.size(); ++i)
    for (std::size_t row = 0; row < 6; ++row) v_J[row] += S[6 * i + row] * q_dot[i];
  return v_J;
}

std::vector<Expr> velocity_product(Graph& graph, const Pose<Expr>& G, std::span<const Expr> S, std::span<const Expr> q,
                                   std::span<const Expr> q_dot) {
  std::vector<Expr> given = pose_entries(G);
  const std::vector<Expr> by_rates = from_pose_rates(graph, given, q, q_dot),
                          by_velocity = cheapest_derivative_along(graph, joint_velocity(S, q_dot), q, q_dot).entries;
  given.insert(given.end(), S.begin(), S.end());
  std::vector<Expr> a = factor(graph, given, by_rates), b = by_velocity;
  return count_operations(graph, given, a).total() < count_operations(graph, given, b).total() ? a : b;
}

namespace {

using Motion = Twist<Expr>;

void append(std::vector<Expr>& out, const Motion& m) {
  out.insert(out.end(), std::begin(m.angular.e), std::end(m.angular.e));
  out.insert(out.end(), std::begin(m.linear.e), std::end(m.linear.e));
}

Motion motion(std::span<const Expr> e) { return {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}}; }

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
    c_J_ = seen_from(factor.pose, c_J_) + rate(factor, own) + cross(carried, own_velocity);
    v_J_ = carried + own_velocity;
    for (std::size_t i = 0; i < S_.size(); ++i) S_[i] = seen_from(factor.pose, S_[i]) + own[i];
  }
  const std::vector<Motion>& S() const { return S_; }
  const Motion& c_J() const { return c_J_; }

 private:
  std::vector<Motion> subspace(const MotionFactor& factor) {
    std::vector<Motion> S;
    if (factor.kind == MotionFactor::Kind::screw) {
      for (const Expr d : cheapest_jacobian(graph_, std::span(&factor.amount, 1), q_).entries)
        S.push_back(d * factor.twist);
      return S;
    }
    const std::vector<Expr> dG = cheapest_jacobian(graph_, pose_entries(factor.pose), q_).entries,
                            columns = motion_subspace(factor.pose, dG, static_cast<int>(q_.size()));
    for (std::size_t i = 0; i < q_.size(); ++i) S.push_back(motion(std::span(columns).subspan(6 * i, 6)));
    return S;
  }

  Motion velocity(const std::vector<Motion>& S) const {
    Motion sum;
    for (std::size_t i = 0; i < S.size(); ++i) sum = sum + v_[i] * S[i];
    return sum;
  }

  /// S_dot v of one factor.
  Motion rate(const MotionFactor& factor, const std::vector<Motion>& S) {
    if (factor.kind == MotionFactor::Kind::screw) {
      const auto along = [&](Expr e) { return cheapest_derivative_along(graph_, std::span(&e, 1), q_, v_).entries[0]; };
      return along(along(factor.amount)) * factor.twist;
    }
    std::vector<Expr> columns;
    for (const Motion& column : S) cardan::append(columns, column);
    return motion(velocity_product(graph_, factor.pose, columns, q_, v_));
  }

  Graph& graph_;
  std::span<const Expr> q_, v_;
  std::vector<Motion> S_;
  Motion v_J_, c_J_;
};

}  // namespace

std::vector<Expr> derived_kinematics(Graph& graph, const MotionProduct& G, std::span<const Expr> q,
                                     std::span<const Expr> q_dot) {
  ProductMotion motion(graph, q, q_dot);
  for (const MotionFactor& factor : G.factors()) motion.append(factor);
  std::vector<Expr> out = pose_entries(G.pose());
  for (const Motion& column : motion.S()) append(out, column);
  append(out, motion.c_J());
  return out;
}

}  // namespace cardan

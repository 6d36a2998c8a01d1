#include "cardan/joints/internal/derived_kinematics.hpp"

#include "cardan/symbolic/differentiate.hpp"
#include "cardan/symbolic/internal/factor.hpp"

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

}  // namespace cardan

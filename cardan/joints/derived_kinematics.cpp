#include "cardan/joints/derived_kinematics.hpp"

namespace cardan {

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

}  // namespace cardan

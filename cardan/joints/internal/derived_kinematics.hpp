// What follows from a joint's pose G(q) by differentiation, as expressions.
#pragma once

#include "cardan/spatial/se3.hpp"
#include "cardan/symbolic/graph.hpp"

#include <span>
#include <vector>

namespace cardan {

/// The rotation by rows, then the position: 12 entries.
std::vector<Expr> pose_entries(const Pose<Expr>& G);

/// S = vee(G^-1 dG/dq), column by column, from the derivatives of the 12 entries (row by row, n coordinates).
std::vector<Expr> motion_subspace(const Pose<Expr>& G, std::span<const Expr> dG, int n);

/// v_J = S q_dot.
std::vector<Expr> joint_velocity(std::span<const Expr> S, std::span<const Expr> q_dot);

/// c_J = S_dot q_dot, in whichever of two ways takes fewer operations beside G and S: as the derivative of v_J along
/// the motion, or as vee(d/dt(G^-1 G_dot)) from the first and second derivative of G along the motion.
std::vector<Expr> velocity_product(Graph& graph, const Pose<Expr>& G, std::span<const Expr> S, std::span<const Expr> q,
                                   std::span<const Expr> q_dot);

}  // namespace cardan

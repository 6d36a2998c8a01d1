// S and c_J of a pose that is given as a product of motions.
#pragma once

#include "cardan/joints/motion_product.hpp"
#include "cardan/symbolic/graph.hpp"

#include <span>
#include <vector>

namespace cardan {

struct ProductMotion {
  std::vector<MotionVector<Expr>> S;  // a column for each coordinate
  MotionVector<Expr> c_J;             // S_dot v
};

/// Both in the axes of the moving frame, factor by factor as along a chain of bodies; differentiated symbolically by q.
ProductMotion motion_of_product(Graph& graph, const MotionProduct& product, std::span<const Expr> q,
                                std::span<const Expr> v);

/// Angular, then linear.
void append_entries(std::vector<Expr>& out, const MotionVector<Expr>& motion);

}  // namespace cardan

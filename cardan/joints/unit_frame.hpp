// What frames of curves and surfaces are made of, on expressions.
#pragma once

#include "cardan/math/matrix.hpp"
#include "cardan/symbolic/differentiate.hpp"

namespace cardan {

inline Vec3<Expr> derivative(const Vec3<Expr>& p, Expr by) {
  const std::vector<Expr> d = jacobian(Graph::current(), p.e, std::span(&by, 1), Differentiation::forward);
  return {d[0], d[1], d[2]};
}

inline Vec3<Expr> unit(const Vec3<Expr>& a) { return (Expr(1.0) / norm(a)) * a; }

inline Mat3<Expr> from_columns(const Vec3<Expr>& x, const Vec3<Expr>& y, const Vec3<Expr>& z) {
  return mat3<Expr>(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]);
}

}  // namespace cardan

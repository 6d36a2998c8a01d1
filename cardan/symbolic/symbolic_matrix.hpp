// Lets Eigen hold expressions in matrices and vectors.
#pragma once

#include "cardan/symbolic/expr.hpp"

#include <Eigen/Core>

template <>
struct Eigen::NumTraits<cardan::Expr> : Eigen::GenericNumTraits<double> {
  using Real = cardan::Expr;
  using NonInteger = cardan::Expr;
  using Nested = cardan::Expr;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};

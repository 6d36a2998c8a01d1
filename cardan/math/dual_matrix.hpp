// Lets Eigen hold dual numbers in matrices and vectors.
#pragma once

#include "cardan/math/dual.hpp"

#include <Eigen/Core>

template <int N>
struct Eigen::NumTraits<cardan::Dual<N>> : Eigen::GenericNumTraits<double> {
  using Real = cardan::Dual<N>;
  using NonInteger = cardan::Dual<N>;
  using Nested = cardan::Dual<N>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1 + N,
    AddCost = 1 + N,
    MulCost = 1 + 2 * N
  };
};

// The algorithms over the counting scalar, compiled once for all tests that need them.
#pragma once

#include "cardan/math/counted.hpp"
#include "tests/support/all_algorithms.hpp"

namespace cardan::test {

/// run_all over Counted<double>.
Results run_all_counted(const RandomCase& c);

/// What each algorithm does on a model with angles as coordinates, sines and cosines not counted (as in the book).
struct AlgorithmCounts {
  OperationCount inverse_dynamics, mass_matrix, forward_dynamics;
};
AlgorithmCounts count_algorithms(const Model& model);

}  // namespace cardan::test

// Factors a matrix by fronts, A = L U without pivoting. Each front holds its own rows and columns and what its children
// have left,
//   [ A_oo A_ol ]   [ L_oo    0 ] [ U_oo U_ol ]
//   [ A_lo A_ll ] = [ L_lo    1 ] [ 0    S    ],   S = A_ll - L_lo U_ol,
// and adds S to its parent. L has ones on its diagonal. A pivot that nearly vanishes ends the factorization: who needs
// one then changes the matrix.
#pragma once

#include "cardan/solve/front_layout.hpp"

namespace cardan {

class FrontalFactor {
 public:
  /// Starts a matrix of zeros; the layout must outlive it.
  void begin(const FrontLayout& layout);
  /// Entries of a front by columns, `stride` of the front apart.
  double* front(const FrontLayout::Front& front) { return memory_.data() + front.first; }
  double& entry(std::size_t place) { return memory_[place]; }

  /// `smallest` has for each unknown what its pivot must exceed; false where one does not.
  [[nodiscard]] bool factor(const std::vector<double>& smallest);
  /// x = A^-1 x.
  void solve(double* x);

 private:
  const FrontLayout* layout_ = nullptr;
  std::vector<double> memory_, local_;
};

}  // namespace cardan

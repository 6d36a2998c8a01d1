// Block Gauss-Seidel for a problem in row space, as GaussSeidel does it with velocities. Sweeps end where nothing
// changes any more.
#pragma once

#include "cardan/solve/row_space.hpp"

namespace cardan {

class RowSweeps {
 public:
  /// Improves multipliers and their velocities by at most so many sweeps.
  void run(const RowSpace& rows, int most, std::vector<double>& lambda, std::vector<double>& u);

 private:
  struct Block {
    const double* columns = nullptr;             // of G
    double per_normal = 0.0, per_tangent = 0.0;  // 1/G_nn, 1/g_t
    double mu = 0.0, compliance = 0.0, d = 0.0;
    double coupling[2] = {};  // of tangents with the normal
    bool is_cone = false;
  };
  void scale(const RowSpace& rows);
  /// `place`: the block's own velocities in u.
  void relax_cone(const Block& own, int n, double* lambda, const double* place, double* u);
  void relax_other(const RowSpace& rows, std::size_t block, std::vector<double>& lambda, std::vector<double>& u);
  bool apply(const Block& own, const double (&change)[3], int n, double* __restrict u);

  std::vector<Block> blocks_;
  double largest_ = 0.0;  // change of a sweep, as a velocity [m/s]
};

}  // namespace cardan

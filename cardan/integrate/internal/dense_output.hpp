// The motion within one step: a polynomial in the chart at the step's beginning. Cubic Hermite interpolation, to which
// a method may add a fourth-degree term (Hairer, Norsett and Wanner, II.6).
#pragma once

#include "cardan/integrate/internal/chart.hpp"

#include <vector>

namespace cardan {

class DenseOutput {
 public:
  DenseOutput(const StateSpace& space, Chart chart);

  /// Value at the start, change over the step, both end rates times the step, and the extra term (or zero).
  struct Curve {
    explicit Curve(int n);
    /// From zero where there is no `from`.
    void set(const double* from, const double* to, const double* rate0, const double* rate1, double h);
    void set_line(const double* from, const double* to);
    double at(std::size_t i, double s) const;
    std::vector<double> value, change, bend0, bend1, extra;
  };
  Curve x, v, z;
  std::vector<double> q0;

  /// At the fraction s of the step.
  void evaluate(const StateSpace& space, double s, State& out) const;

 private:
  Chart chart_;
  mutable std::vector<double> increment_;
};

}  // namespace cardan

// Coefficients of explicit Runge-Kutta methods.
#pragma once

#include <array>

namespace cardan {

/// Row s of a has s entries. Where the last row is b (fsal), the last stage is the first of the next step.
struct Tableau {
  static constexpr int kMostStages = 7;
  using Row = std::array<double, kMostStages>;

  int stages, order;
  std::array<Row, kMostStages> a;
  Row b, c;
  bool fsal = false;
  Row error{};  // b minus the embedded method's; all zero if there is none
  Row dense{};  // of the fourth-degree term of the dense output
};

inline constexpr Tableau kEuler{1, 1, {}, {1.0}, {0.0}};

/// Heun's method of order 2.
inline constexpr Tableau kHeun{2, 2, {{{}, {1.0}}}, {0.5, 0.5}, {0.0, 1.0}};

inline constexpr Tableau kClassical4{
    4, 4, {{{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0.0, 0.5, 0.5, 1.0}};

/// Dormand and Prince 5(4); dense output of order 4 as in Hairer, Norsett and Wanner, II.6.
inline constexpr Tableau kDormandPrince{
    7,
    5,
    {{{},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0.0},
    {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0},
    true,
    {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
    {-12715105075.0 / 11282082432.0, 0.0, 87487479700.0 / 32700410799.0, -10690763975.0 / 1880347072.0,
     701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0}};

}  // namespace cardan

// Operation counts of whole algorithms on chains of n revolute joints (Table 10.1, Eq. 10.3): ours are linear (RNEA,
// ABA) or quadratic (CRBA) in n, with the coefficients found here. Sines and cosines are not counted; divisions are
// multiplications, as in the book.
#include "tests/support/counted_algorithms.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

/// Axes x, y, z in turn, or in general directions; every inertia and placement general.
Model chain(int n, bool aligned) {
  Random random(1);
  ModelBuilder builder;
  for (int i = 1; i <= n; ++i) {
    Vec3<double> axis = random.direction();
    Pose<double> at = random.pose();
    if (aligned) {
      axis = Vec3<double>{};
      axis[i % 3] = 1.0;
      at.R = Mat3<double>::identity();
    }
    builder.body(std::to_string(i), random.mass())
        .joint(i == 1 ? "world" : std::to_string(i - 1), std::to_string(i), Revolute(axis), at);
  }
  return builder.build();
}

/// a n^2 + b n + c through three points, the others must lie on it; all coefficients may be halves.
struct Polynomial {
  long twice_a, twice_b, twice_c;
  template <class Count>
  static Polynomial through(const Count& count, int first) {
    const long y0 = count(first), y1 = count(first + 1), y2 = count(first + 2), n = first;
    const long a2 = y2 - 2 * y1 + y0, b2 = 2 * (y1 - y0) - a2 * (2 * n + 1), c2 = 2 * y0 - a2 * n * n - b2 * n;
    return {a2, b2, c2};
  }
  long operator()(long n) const { return (twice_a * n * n + twice_b * n + twice_c) / 2; }
};

long multiplications(const OperationCount& c) { return c.multiplications + c.divisions; }

void report(const char* algorithm, bool aligned, OperationCount AlgorithmCounts::*which, Polynomial expected_m,
            Polynomial expected_a) {
  const auto m = [&](int n) { return multiplications(count_algorithms(chain(n, aligned)).*which); };
  const auto a = [&](int n) { return (count_algorithms(chain(n, aligned)).*which).additions; };
  const Polynomial pm = Polynomial::through(m, 3), pa = Polynomial::through(a, 3);
  const auto print = [](const Polynomial& p) {
    std::printf(" %.1f n^2 %+.1f n %+.1f", 0.5 * static_cast<double>(p.twice_a), 0.5 * static_cast<double>(p.twice_b),
                0.5 * static_cast<double>(p.twice_c));
  };
  std::printf("    %s, %s:", algorithm, aligned ? "coordinate axes" : "general axes");
  print(pm);
  std::printf(" m,");
  print(pa);
  std::printf(" a\n");
  for (int n = 2; n <= 20; ++n) {
    EXPECT_EQ(m(n), expected_m(n)) << algorithm << " " << n;
    EXPECT_EQ(a(n), expected_a(n)) << algorithm << " " << n;
  }
}

// Coefficients are twice those of n^2, n and 1. For comparison, the best of Table 10.1 but GU(n) (with first links
// treated apart): RNEA 93n - 108 m, 81n - 100 a; CRBA 10n^2 + 22n - 32 m, 6n^2 + 37n - 43 a; ABA 224n - 259 m, 205n -
// 248 a.
TEST(OperationCounts, ChainsAboutCoordinateAxes) {
  report("RNEA", true, &AlgorithmCounts::inverse_dynamics, {0, 168, -28}, {0, 150, -20});
  report("CRBA", true, &AlgorithmCounts::mass_matrix, {15, 57, -56}, {10, 74, -62});
  report("ABA", true, &AlgorithmCounts::forward_dynamics, {0, 412, -138}, {0, 392, -138});
}

// General Pluecker transforms: the checklist derives about 142m + 120a a joint for RNEA without special frames.
TEST(OperationCounts, ChainsAboutGeneralAxes) {
  report("RNEA", false, &AlgorithmCounts::inverse_dynamics, {0, 272, -48}, {0, 250, -36});
  report("CRBA", false, &AlgorithmCounts::mass_matrix, {25, 117, -104}, {18, 128, -112});
  report("ABA", false, &AlgorithmCounts::forward_dynamics, {0, 658, -360}, {0, 648, -356});
}

TEST(OperationCounts, OneMoreLinkCostsLessThanTheBestOfTable101ButGU) {
  const AlgorithmCounts c = count_algorithms(chain(19, true)), d = count_algorithms(chain(20, true));
  const auto link = [](const OperationCount& a, const OperationCount& b) {
    return multiplications(b) + b.additions - multiplications(a) - a.additions;
  };
  EXPECT_LT(link(c.inverse_dynamics, d.inverse_dynamics), 93 + 81);
  EXPECT_LT(link(c.mass_matrix, d.mass_matrix), 10 * 39 + 22 + 6 * 39 + 37);
  EXPECT_LT(link(c.forward_dynamics, d.forward_dynamics), 224 + 205);
}

}  // namespace
}  // namespace cardan::test

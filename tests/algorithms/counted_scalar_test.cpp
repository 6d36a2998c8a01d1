// Every algorithm compiles for a scalar without comparison operators and gives the numbers of double.
#include "tests/support/counted_algorithms.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

template <class T>
concept Compares = requires(T a, T b) {
  a < b;
}
|| requires(T a, T b) { a == b; }
|| requires(T a, double b) { a > b; };
static_assert(!Compares<Counted<double>> && Compares<double>);

TEST(CountedScalar, AllAlgorithmsAgreeWithDouble) {
  Worst worst("Counted<double> = double, all algorithms", 1e-10);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomCase c(seed);
    std::string where;
    const double error = largest_difference(run_all_counted(c), run_all<double>(c), &where);
    worst.add(error, c.name + ": " + where);
  }
}

}  // namespace
}  // namespace cardan::test

#include "cardan/program/time_function.hpp"
#include "cardan/symbolic/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cardan {
namespace {

TEST(TimeFunction, HasValuesAndDerivatives) {
  TimeFunction f({"0.5*sin(2*t)", "t^3", "7"}, 2);
  EXPECT_EQ(f.size(), 3);
  EXPECT_EQ(f.derivatives(), 2);
  const double t = 0.7;
  const auto x = f(t);
  const double expected[] = {0.5 * std::sin(2 * t),  t * t * t, 7.0, std::cos(2 * t), 3 * t * t, 0.0,
                             -2.0 * std::sin(2 * t), 6 * t,     0.0};
  ASSERT_EQ(x.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(x[i], expected[i], 1e-15) << i;
}

TEST(TimeFunction, CopiesAreIndependent) {
  TimeFunction f({"t"});
  TimeFunction copy = f;
  const auto first = f(1.0);
  copy(2.0);
  EXPECT_EQ(first[0], 1.0);
}

TEST(TimeFunction, RefusesWhatItCannotRead) {
  EXPECT_THROW(TimeFunction({"2*x"}), ParseError);
  EXPECT_THROW(TimeFunction({"sin(t"}), ParseError);
  EXPECT_THROW(TimeFunction(std::vector<std::string>{}), std::invalid_argument);
  std::string huge = "0";
  while (huge.size() < 19'000) huge += "+sin(" + std::to_string(huge.size()) + "*t)";
  EXPECT_THROW(TimeFunction({huge, huge + "*t", huge + "+t", huge + "*t*t"}, 2), GraphTooLarge);
}

}  // namespace
}  // namespace cardan

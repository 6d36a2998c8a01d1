// Vector sine and cosine against long double libm: within one unit in the last place, everywhere, for every count.
#include "cardan/math/sincos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "cardan/math/counted.hpp"

namespace cardan {
namespace {

double error_in_ulps(double got, long double exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  const long double ulp = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / ulp);
}

void expect_within_one_ulp(const std::vector<double>& angle, const std::string& what) {
  std::vector<double> s(angle.size()), c(angle.size());
  sincos_all(angle.data(), static_cast<int>(angle.size()), s.data(), c.data());
  double worst = 0, where = 0;
  for (std::size_t i = 0; i < angle.size(); ++i) {
    const auto x = static_cast<long double>(angle[i]);
    const double error = std::max(error_in_ulps(s[i], std::sin(x)), error_in_ulps(c[i], std::cos(x)));
    if (error <= worst) continue;
    worst = error;
    where = angle[i];
  }
  testing::Test::RecordProperty(what, std::to_string(worst));
  EXPECT_LE(worst, 1.0) << what << " at " << where;
}

std::vector<double> random_angles(int n, const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(7);
  std::vector<double> out(static_cast<std::size_t>(n));
  for (double& x : out) x = draw(random);
  return out;
}

TEST(Sincos, OneUlpOverItsRange) {
  for (const double range : {0.8, 3.2, 100.0, 1e5}) {
    std::uniform_real_distribution<double> u(-range, range);
    expect_within_one_ulp(random_angles(700'000, u), "range_" + std::to_string(range));
  }
}

TEST(Sincos, OneUlpForEveryMagnitude) {
  std::uniform_real_distribution<double> exponent(-1074, 1023), sign(-1, 1);
  expect_within_one_ulp(
      random_angles(300'000, [&](auto& random) { return std::copysign(std::exp2(exponent(random)), sign(random)); }),
      "every_magnitude");
}

TEST(Sincos, OneUlpNextToEveryMultipleOfQuarterTurnsAndOfTheirHalves) {
  std::vector<double> angle;
  for (int k = 1; k <= 127'500; ++k) {  // a little beyond 1e5 rad
    const auto x = static_cast<double>(k * 0.785398163397448309615660845819875721L);
    for (const double y : {std::nextafter(x, 0.0), x, std::nextafter(x, 1e9)}) {
      angle.push_back(y);
      angle.push_back(-y);
    }
  }
  expect_within_one_ulp(angle, "quarter_turns");
}

TEST(Sincos, EveryCountGivesTheSameAndWritesNothingBeyond) {
  std::uniform_real_distribution<double> u(-10, 10);
  const auto angle = random_angles(70, u);
  std::vector<double> s(angle.size()), c(angle.size());
  sincos_all(angle.data(), 70, s.data(), c.data());
  for (int n = 0; n <= 70; ++n) {
    std::vector<double> exact_size(angle.begin(), angle.begin() + n);  // a sanitizer sees reads beyond
    std::vector<double> s_n(static_cast<std::size_t>(n) + 8, 42.0), c_n = s_n;
    sincos_all(exact_size.data(), n, s_n.data(), c_n.data());
    for (std::size_t i = 0; i < s_n.size(); ++i) {
      const bool inside = i < static_cast<std::size_t>(n);
      EXPECT_EQ(s_n[i], inside ? s[i] : 42.0) << "n = " << n << ", i = " << i;
      EXPECT_EQ(c_n[i], inside ? c[i] : 42.0) << "n = " << n << ", i = " << i;
    }
  }
}

TEST(Sincos, SpecialValuesInEveryLane) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double special : {0.0, -0.0, inf, -inf, nan, 1e300, -1e22, 1e5, std::nextafter(1e5, 2e5), 5e-324})
    for (int n = 1; n <= 19; ++n)
      for (int lane = 0; lane < n; ++lane) {
        std::vector<double> angle(static_cast<std::size_t>(n), 0.5), s = angle, c = angle;
        angle[static_cast<std::size_t>(lane)] = special;
        sincos_all(angle.data(), n, s.data(), c.data());
        for (std::size_t i = 0; i < angle.size(); ++i) {
          const double x = angle[i];
          if (!std::isfinite(x)) {
            EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i]));
            continue;
          }
          EXPECT_LE(error_in_ulps(s[i], std::sin(static_cast<long double>(x))), 1.0) << x;
          EXPECT_LE(error_in_ulps(c[i], std::cos(static_cast<long double>(x))), 1.0) << x;
          EXPECT_TRUE(x != 0 || std::signbit(s[i]) == std::signbit(x)) << "sin(-0) is -0";
        }
      }
}

TEST(Sincos, GenericLoopServesOtherScalars) {
  const Counted<> angle[2] = {Counted<>(0.3), Counted<>(-2.0)};
  Counted<> s[2], c[2];
  Counted<>::reset();
  sincos_all(angle, 2, s, c);
  EXPECT_EQ(Counted<>::count().trigonometric, 4);
  EXPECT_EQ(s[1].value, std::sin(-2.0));
  const float f[1] = {0.3f};
  float fs[1], fc[1];
  sincos_all(f, 1, fs, fc);
  EXPECT_EQ(fc[0], std::cos(0.3f));
}

}  // namespace
}  // namespace cardan

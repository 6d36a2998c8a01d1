// Dual numbers against derivatives known in closed form and against differences.
#include "cardan/math/dual.hpp"

#include "cardan/math/so3.hpp"

#include <gtest/gtest.h>

namespace cardan {
namespace {

using D = Dual<2>;

TEST(Dual, EveryOperation) {
  const double x = 0.7, y = -1.3;
  const D a = D::variable(x, 0), b = D::variable(y, 1);
  const auto expect = [](const D& found, double value, double dx, double dy) {
    EXPECT_DOUBLE_EQ(found.value, value);
    EXPECT_DOUBLE_EQ(found.d[0], dx);
    EXPECT_DOUBLE_EQ(found.d[1], dy);
  };
  expect(a + b, x + y, 1, 1);
  expect(a - b, x - y, 1, -1);
  expect(a * b, x * y, y, x);
  expect(a / b, x / y, 1 / y, -x / (y * y));
  expect(-a, -x, -1, 0);
  expect(sqrt(a), std::sqrt(x), 0.5 / std::sqrt(x), 0);
  expect(sin(b), std::sin(y), 0, std::cos(y));
  expect(cos(b), std::cos(y), 0, -std::sin(y));
  expect(exp(b), std::exp(y), 0, std::exp(y));
  expect(log(a), std::log(x), 1 / x, 0);
  expect(atan2(a, b), std::atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y));
  expect(select_less(b, a, a, b), x, 1, 0);
  expect(select_less(a, b, a, b), y, 0, 1);
  D sum = a;
  sum += b;
  sum -= D(1.0);
  expect(sum, x + y - 1, 1, 1);
}

TEST(Dual, ExponentialAndLogarithmOfRotationsAtEveryAngle) {
  // along phi(t) = phi + t u: log(exp(phi)) changes at u, and exp(-phi) d exp(phi) = [T(phi) u]x
  const Vec3<double> direction{0.48, -0.6, 0.64}, u{0.3, 0.9, -0.2};
  for (const double angle : {0.0, 1e-9, 1e-3, 0.5, 1.0, 2.0, 3.0}) {
    Vec3<D> phi;
    for (int i = 0; i < 3; ++i) {
      phi[i] = D(angle * direction[i]);
      phi[i].d[0] = u[i];
    }
    const auto R = exp_so3(phi);
    const auto back = quaternion_log(quaternion_exp(phi));
    const Vec3<double> omega = tangent_so3(angle * direction) * u;
    Mat3<double> value, rate;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(back[i].value, angle * direction[i], 1e-14);
      EXPECT_NEAR(back[i].d[0], u[i], 1e-13) << angle;
      for (int j = 0; j < 3; ++j) {
        value(i, j) = R(i, j).value;
        rate(i, j) = R(i, j).d[0];
      }
    }
    const Mat3<double> spin = transpose(value) * rate;
    EXPECT_NEAR(spin(2, 1), omega[0], 1e-14);
    EXPECT_NEAR(spin(0, 2), omega[1], 1e-14);
    EXPECT_NEAR(spin(1, 0), omega[2], 1e-14);
  }
}

}  // namespace
}  // namespace cardan

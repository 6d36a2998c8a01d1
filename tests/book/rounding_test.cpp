// Our forward dynamics is split into an inverse-dynamics pass and a linear rest. Does that cost digits against
// Table 7.1 to the letter? Both are compared with the latter in extended precision, on chains of up to 1000 links.
#include "cardan/model/model_builder.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

// axes x, y, z in turn; every link the same
constexpr double kMass = 1.3, kCom[3] = {0.1, -0.05, 0.2}, kStep[3] = {0.05, 0.1, 0.4}, kI[3] = {0.11, 0.13, 0.05};

Model chain(int n) {
  ModelBuilder builder;
  const MassProperties link{kMass, Vec3<double>{kCom[0], kCom[1], kCom[2]},
                            Sym3<double>{kI[0], kI[1], kI[2], 0.0, 0.0, 0.0}};
  for (int i = 0; i < n; ++i) {
    Vec3<double> axis;
    axis[i % 3] = 1.0;
    builder.body(std::to_string(i), link)
        .joint(i == 0 ? "world" : std::to_string(i - 1), std::to_string(i), Revolute(axis),
               {Mat3<double>::identity(), Vec3<double>{kStep[0], kStep[1], kStep[2]}});
  }
  return builder.build();
}

/// Table 7.1 with 6x6 matrices over T.
template <class T>
Eigen::VectorXd table_7_1(int n, const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& tau) {
  using V3 = Eigen::Matrix<T, 3, 1>;
  using M3 = Eigen::Matrix<T, 3, 3>;
  using V6 = Eigen::Matrix<T, 6, 1>;
  using M6 = Eigen::Matrix<T, 6, 6>;
  const auto skew = [](const V3& a) {
    M3 out;
    out << 0, -a(2), a(1), a(2), 0, -a(0), -a(1), a(0), 0;
    return out;
  };
  const auto crm = [&](const V6& v) {
    M6 out = M6::Zero();
    out.template topLeftCorner<3, 3>() = out.template bottomRightCorner<3, 3>() = skew(v.template head<3>());
    out.template bottomLeftCorner<3, 3>() = skew(v.template tail<3>());
    return out;
  };
  const V3 r(kStep[0], kStep[1], kStep[2]), c(kCom[0], kCom[1], kCom[2]);
  const M3 Ic = V3(kI[0], kI[1], kI[2]).asDiagonal();
  const T m = kMass;
  M6 I = M6::Zero();
  I << Ic + m * skew(c) * skew(c).transpose(), m * skew(c), m * skew(c).transpose(), m * M3::Identity();

  const auto size = static_cast<std::size_t>(n);
  std::vector<M6> X(size), IA(size, I);
  std::vector<V6> v(size), bias(size), pA(size), U(size), a(size);
  std::vector<T> D(size), u(size);
  for (std::size_t i = 0; i < size; ++i) {
    const int axis = static_cast<int>(i % 3);
    const auto k = static_cast<Eigen::Index>(i);
    const T cosine = std::cos(T(q(k))), sine = std::sin(T(q(k)));
    M3 E = M3::Identity();
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    E(b, b) = E(d, d) = cosine;
    E(b, d) = sine;
    E(d, b) = -sine;
    X[i].setZero();
    X[i].template topLeftCorner<3, 3>() = X[i].template bottomRightCorner<3, 3>() = E;
    X[i].template bottomLeftCorner<3, 3>() = -E * skew(r);
    const V6 v_J = V6::Unit(axis) * T(qd(k));
    v[i] = i == 0 ? v_J : V6(X[i] * v[i - 1] + v_J);
    bias[i] = crm(v[i]) * v_J;
    pA[i] = -crm(v[i]).transpose() * I * v[i];
  }
  for (std::size_t i = size; i-- > 0;) {
    const int axis = static_cast<int>(i % 3);
    U[i] = IA[i].col(axis);
    D[i] = U[i](axis);
    u[i] = T(tau(static_cast<Eigen::Index>(i))) - pA[i](axis);
    if (i == 0) break;
    const M6 Ia = IA[i] - U[i] * U[i].transpose() / D[i];
    const V6 pa = pA[i] + Ia * bias[i] + U[i] * (u[i] / D[i]);
    IA[i - 1] += X[i].transpose() * Ia * X[i];
    pA[i - 1] += X[i].transpose() * pa;
  }
  Eigen::VectorXd qdd(n);
  V6 base = V6::Zero();
  base(5) = T(9.81);
  for (std::size_t i = 0; i < size; ++i) {
    const int axis = static_cast<int>(i % 3);
    const V6 carried = X[i] * (i == 0 ? base : a[i - 1]) + bias[i];
    const T own = (u[i] - U[i].dot(carried)) / D[i];
    a[i] = carried + V6::Unit(axis) * own;
    qdd(static_cast<Eigen::Index>(i)) = static_cast<double>(own);
  }
  return qdd;
}

TEST(Rounding, SplitFormIsAsAccurateAsTable71) {
  for (const int n : {10, 30, 100, 300, 1000}) {
    const Model model = chain(n);
    Poisoned run(model);
    double split = 0.0, letter = 0.0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Random random(seed);
      const Eigen::VectorXd q = random.values(n, 3.0), v = random.values(n), tau = random.values(n, 5.0);
      const Eigen::VectorXd exact = table_7_1<long double>(n, q, v, tau);
      split = std::max(split, relative_error(run.forward_dynamics(q, v, tau), exact));
      letter = std::max(letter, relative_error(table_7_1<double>(n, q, v, tau), exact));
    }
    std::printf("    n = %4d: split %.1e, Table 7.1 %.1e\n", n, split, letter);
    EXPECT_LT(split, 10.0 * letter) << n;
  }
}

}  // namespace
}  // namespace cardan::test

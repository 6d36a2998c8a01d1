// LDL' of small symmetric positive definite matrices against Gauss elimination with pivoting in long double.
#include "cardan/math/small_solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "cardan/math/counted.hpp"

namespace cardan {
namespace {

template <int N>
Matrix<double, N, N> random_spd(std::mt19937& random) {
  std::uniform_real_distribution<double> u(-1, 1);
  Matrix<double, N, N> a, out;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a(i, j) = u(random);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      out(i, j) = i == j ? 0.1 : 0.0;
      for (int k = 0; k < N; ++k) out(i, j) += a(i, k) * a(j, k);
    }
  return out;
}

template <int N>
Vector<double, N> gauss(const Matrix<double, N, N>& A, const Vector<double, N>& b) {
  long double m[N][N + 1];
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) m[i][j] = A(i, j);
    m[i][N] = b[i];
  }
  for (int c = 0; c < N; ++c) {
    int pivot = c;
    for (int i = c; i < N; ++i)
      if (std::abs(m[i][c]) > std::abs(m[pivot][c])) pivot = i;
    for (int j = 0; j <= N; ++j) std::swap(m[c][j], m[pivot][j]);
    for (int i = 0; i < N; ++i) {
      if (i == c) continue;
      const long double f = m[i][c] / m[c][c];
      for (int j = c; j <= N; ++j) m[i][j] -= f * m[c][j];
    }
  }
  Vector<double, N> x;
  for (int i = 0; i < N; ++i) x[i] = static_cast<double>(m[i][N] / m[i][i]);
  return x;
}

template <int N>
void check_size() {
  std::mt19937 random(N);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    auto A = random_spd<N>(random);
    Matrix<double, N, 2> B;
    Vector<double, N> b;
    for (int i = 0; i < N; ++i) b[i] = B(i, 0) = u(random), B(i, 1) = u(random);
    const Vector<double, N> expected = gauss<N>(A, b);
    for (int i = 0; i < N; ++i)
      for (int j = i + 1; j < N; ++j) A(i, j) = NAN;  // only the lower triangle may be read
    const LDLT<double, N> factor(A);
    const auto x = factor.solve(b);
    const auto X = factor.solve(B);
    const auto inverse = factor.inverse();
    for (int i = 0; i < N; ++i) {
      double from_inverse = 0;
      for (int j = 0; j < N; ++j) {
        from_inverse += inverse(i, j) * b[j];
        EXPECT_EQ(inverse(i, j), inverse(j, i));
      }
      EXPECT_NEAR(x[i], expected[i], 2e-13 * norm(expected));
      EXPECT_NEAR(X(i, 0), expected[i], 2e-13 * norm(expected));
      EXPECT_NEAR(from_inverse, expected[i], 2e-12 * norm(expected));
    }
  }
}

TEST(SmallSolve, AgreesWithGaussElimination) {
  check_size<1>();
  check_size<2>();
  check_size<3>();
  check_size<4>();
  check_size<5>();
  check_size<6>();
}

TEST(SmallSolve, SizeZeroCompilesAndDoesNothing) {
  const LDLT<double, 0> factor(Matrix<double, 0, 0>{});
  (void)factor.solve(Vector<double, 0>{});
  (void)factor.solve(Matrix<double, 0, 3>{});
  (void)factor.inverse();
}

template <int N>
OperationCount count_factorization() {
  using C = Counted<>;
  std::mt19937 random(1);
  const Matrix<C, N, N> A(random_spd<N>(random));
  C::reset();
  const LDLT<C, N> factor(A);
  return C::count();
}

TEST(SmallSolve, TakesOneDivisionPerRowAndNoSquareRoots) {
  EXPECT_EQ(count_factorization<1>(), (OperationCount{0, 0, 1, 0, 0}));
  EXPECT_EQ(count_factorization<2>(), (OperationCount{2, 1, 2, 0, 0}));
  // sum over rows i and columns j < i of (j + 2) multiplications and (j + 1) additions
  EXPECT_EQ(count_factorization<6>(), (OperationCount{50, 35, 6, 0, 0}));
}

TEST(SmallSolve, OneByOneIsOneDivisionAndOneProduct) {
  using C = Counted<>;
  Matrix<C, 1, 1> A;
  A(0, 0) = C(4.0);
  C::reset();
  EXPECT_EQ((LDLT<C, 1>(A).solve(Vector<C, 1>(C(2.0)))[0].value), 0.5);
  EXPECT_EQ(C::count(), (OperationCount{1, 0, 1, 0, 0}));
  EXPECT_EQ((LDLT<C, 1>(A).inverse()(0, 0).value), 0.25);
}

TEST(SmallSolve, WorksInFloat) {
  std::mt19937 random(3);
  const auto A = random_spd<3>(random);
  const Vector<double, 3> b{1.0, 2.0, 3.0};
  const auto expected = gauss<3>(A, b);
  const auto x = LDLT<float, 3>(Matrix<float, 3, 3>(A)).solve(Vector<float, 3>(b));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i], expected[i], 2e-4 * norm(expected));
}

}  // namespace
}  // namespace cardan

// L'L and L'DL of mass matrices, the five products and solves against dense algebra, zeros that stay zero, and the
// operation counts of Table 6.6, exactly.
#include "cardan/algorithms/factorization.hpp"
#include "cardan/math/counted.hpp"
#include "tests/support/near.hpp"
#include "tests/support/poisoned.hpp"
#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool carries(const BranchSparsity& tree, int i, int j) {
  for (; j > i; j = tree.parent(j)) continue;
  return j == i;
}

/// A positive definite matrix with the tree's pattern. NaN where nothing may be read: above the diagonal and off the
/// pattern.
MatrixXd random_H(const BranchSparsity& tree, Random& random, bool poisoned) {
  const int n = tree.n();
  MatrixXd L = MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i)
      if (carries(tree, i, j)) L(j, i) = random.uniform() + (i == j ? 2.0 : 0.0);
  MatrixXd H = L.transpose() * L;
  for (int j = 0; j < n && poisoned; ++j)
    for (int i = 0; i < n; ++i)
      if (i > j || !carries(tree, i, j)) H(i, j) = std::nan("");
  return poisoned ? MatrixXd(H.transpose()) : H;
}

MatrixXd lower(const BranchSparsity& tree, const MatrixXd& F, bool unit) {
  MatrixXd L = MatrixXd::Zero(F.rows(), F.cols());
  for (int j = 0; j < tree.n(); ++j)
    for (int i = 0; i <= j; ++i)
      if (carries(tree, i, j)) L(j, i) = F(j, i);
  if (unit) L.diagonal().setOnes();
  return L;
}

std::vector<BranchSparsity> trees() {
  std::vector<BranchSparsity> out;
  out.emplace_back(std::vector<int>{-1, 0, 1, 2, 3, 4, 5});          // chain
  out.emplace_back(std::vector<int>{-1, -1, -1, -1});                // all on the base
  out.emplace_back(std::vector<int>{-1, 0, 0, 1, 1, 2, 2});          // binary
  out.emplace_back(std::vector<int>{-1, 0, 1, 2, 0, 3, 3, 4});       // section 6.4's example, counted from zero
  out.emplace_back(std::vector<int>{-1, 0, 1, -1, 3, 3, 1, 6, -1});  // a forest
  for (std::uint64_t seed = 0; seed < 20; ++seed) out.emplace_back(random_model(seed));
  return out;
}

TEST(Factorization, BothFactorsReproduceHAndNothingElseIsTouched) {
  Worst ltl("14: L'L = H", 1e-9), ltdl("14: L'DL = H", 1e-9);
  Random random(1);
  for (const BranchSparsity& tree : trees()) {
    const MatrixXd given = random_H(tree, random, true);
    const MatrixXd H = lower(tree, given, false).selfadjointView<Eigen::Lower>();
    MatrixXd A = given, B = given;
    factorize_ltl<double>(tree, A);
    factorize_ltdl<double>(tree, B);
    const MatrixXd L = lower(tree, A, false), U = lower(tree, B, true);
    ltl.add(relative_error(L.transpose() * L, H));
    ltdl.add(relative_error(U.transpose() * B.diagonal().asDiagonal() * U, H));
    for (int i = 0; i < tree.n(); ++i)
      for (int j = 0; j < tree.n(); ++j) {
        EXPECT_EQ(std::isnan(A(i, j)), std::isnan(given(i, j))) << "fill-in at " << i << ", " << j;
        EXPECT_EQ(std::isnan(B(i, j)), std::isnan(given(i, j))) << "fill-in at " << i << ", " << j;
      }
  }
}

TEST(Factorization, ProductsAndSolves) {
  Worst worst("14: products and solves = dense", 1e-9);
  Random random(2);
  for (const BranchSparsity& tree : trees()) {
    const MatrixXd given = random_H(tree, random, true);
    const MatrixXd H = lower(tree, given, false).selfadjointView<Eigen::Lower>();
    const VectorXd x = random.values(tree.n());
    const auto expect = [&](const VectorXd& ours, const VectorXd& dense) { worst.add(relative_error(ours, dense)); };
    for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
      MatrixXd F = given;
      diagonal == Diagonal::stored ? factorize_ltl<double>(tree, F) : factorize_ltdl<double>(tree, F);
      const MatrixXd L = lower(tree, F, diagonal == Diagonal::unit);
      VectorXd y = x;
      multiply_L<double>(tree, F, y, diagonal);
      expect(y, L * x);
      y = x;
      multiply_L_transposed<double>(tree, F, y, diagonal);
      expect(y, L.transpose() * x);
      y = x;
      solve_L<double>(tree, F, y, diagonal);
      expect(y, L.triangularView<Eigen::Lower>().solve(x));
      y = x;
      solve_L_transposed<double>(tree, F, y, diagonal);
      expect(y, L.transpose().triangularView<Eigen::Upper>().solve(x));
      y = x;
      diagonal == Diagonal::stored ? solve_ltl<double>(tree, F, y) : solve_ltdl<double>(tree, F, y);
      expect(y, H.llt().solve(x));
    }
    VectorXd y = VectorXd::Constant(tree.n(), std::nan(""));
    MatrixXd readable = given;
    multiply_H<double>(tree, readable, x, y);
    expect(y, H * x);
  }
}

TEST(Factorization, SolvesForwardDynamics) {
  Worst worst("2: L'DL solution of H qdd = tau - C", 1e-9);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomCase c(seed);
    Poisoned run(c.model);
    MatrixXd F = run.mass_matrix(c.q);
    const VectorXd right = c.tau - run.bias(c.q, c.v);
    VectorXd x = right;
    const BranchSparsity tree(c.model);
    const MatrixXd H = F;
    factorize_ltdl<double>(tree, F);
    solve_ltdl<double>(tree, F, x);
    worst.add(relative_error(H * x, right, (H.cwiseAbs() * x.cwiseAbs()).maxCoeff()), c.name);
  }
}

using C = Counted<double>;

/// What f does, as multiplications, additions, divisions and square roots.
template <class F>
OperationCount counted(const F& f) {
  C::reset();
  f();
  return C::count();
}

TEST(Factorization, OperationCountsOfTable66) {
  Random random(4);
  for (const BranchSparsity& tree : trees()) {
    const long n = tree.n();
    long D1 = 0, D2 = 0;  // Eq. 6.26, 6.27: from the depth d of each index
    for (int k = 0; k < tree.n(); ++k) {
      long d = 1;
      for (int i = tree.parent(k); i >= 0; i = tree.parent(i)) ++d;
      D1 += d - 1;
      D2 += d * (d - 1) / 2;
    }
    std::vector<C> H(static_cast<std::size_t>(n * n)), x(static_cast<std::size_t>(n), C(1.0)), y(x);
    const MatrixXd values = random_H(tree, random, false);
    const auto reset = [&] {
      for (std::size_t i = 0; i < H.size(); ++i) H[i] = C(values.data()[i]);
    };
    const MatrixView<C> view(H.data(), tree.n(), tree.n());
    reset();
    EXPECT_EQ(counted([&] { factorize_ltl<C>(tree, view); }), (OperationCount{D2, D2, D1, n, 0}));
    EXPECT_EQ(counted([&] { solve_ltl<C>(tree, view, x); }), (OperationCount{2 * D1, 2 * D1, 2 * n, 0, 0}));
    reset();
    EXPECT_EQ(counted([&] { factorize_ltdl<C>(tree, view); }), (OperationCount{D2, D2, D1, 0, 0}));
    EXPECT_EQ(counted([&] { solve_ltdl<C>(tree, view, x); }), (OperationCount{2 * D1, 2 * D1, n, 0, 0}));
    reset();
    EXPECT_EQ(counted([&] { multiply_H<C>(tree, view, x, y); }), (OperationCount{n + 2 * D1, 2 * D1, 0, 0, 0}));
    for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
      const long own = diagonal == Diagonal::stored ? n : 0;
      const OperationCount product{own + D1, D1, 0, 0, 0}, solve{D1, D1, own, 0, 0};
      EXPECT_EQ(counted([&] { multiply_L<C>(tree, view, x, diagonal); }), product);
      EXPECT_EQ(counted([&] { multiply_L_transposed<C>(tree, view, x, diagonal); }), product);
      EXPECT_EQ(counted([&] { solve_L<C>(tree, view, x, diagonal); }), solve);
      EXPECT_EQ(counted([&] { solve_L_transposed<C>(tree, view, x, diagonal); }), solve);
    }
  }
}

}  // namespace
}  // namespace cardan::test

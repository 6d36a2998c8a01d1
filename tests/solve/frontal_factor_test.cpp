// Factors on the branches of trees and by fronts against dense ones.
#include "cardan/solve/frontal_factor.hpp"
#include "cardan/solve/branch_factor.hpp"
#include "tests/support/near.hpp"
#include "tests/support/trials.hpp"

#include <gtest/gtest.h>

#include <random>

namespace cardan::test {
namespace {

class Forest {
 public:
  explicit Forest(int seed) : random_(static_cast<unsigned>(seed)) {
    problem.clear(0);
    int n = 0;
    const int trees = integer(1, 6);
    for (int t = 0; t < trees; ++t) {
      const int size = integer(1, 14);
      LawProblem::Mass part;
      part.first = n;
      for (int i = 0; i < size; ++i)
        part.parent.push_back(i == 0 || integer(0, 9) == 0 ? -1 : integer(std::max(0, i - 3), i - 1));
      // L'L with entries on the branches is a matrix of that kind
      Eigen::MatrixXd L = Eigen::MatrixXd::Zero(size, size);
      for (int i = 0; i < size; ++i) {
        L(i, i) = 1.0 + std::abs(number());
        for (int j = part.parent[static_cast<std::size_t>(i)]; j >= 0; j = part.parent[static_cast<std::size_t>(j)])
          L(i, j) = number();
      }
      part.M = L.transpose() * L;
      problem.mass.push_back(part);
      n += size;
    }
    problem.v_free.setZero(n);
  }
  int integer(int a, int b) { return std::uniform_int_distribution<int>(a, b)(random_); }
  double number() { return std::normal_distribution<double>()(random_); }

  /// Adds a row on the ancestors of one or two velocities.
  void add_block() {
    std::vector<int> columns;
    for (int end = integer(1, 2); end > 0; --end) {
      const LawProblem::Mass& part =
          problem.mass[static_cast<std::size_t>(integer(0, static_cast<int>(problem.mass.size()) - 1))];
      for (int i = integer(0, static_cast<int>(part.M.rows()) - 1); i >= 0;
           i = part.parent[static_cast<std::size_t>(i)])
        columns.push_back(part.first + i);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    auto J = problem.J(problem.blocks()[static_cast<std::size_t>(problem.add(Law::at_least, 1, columns))]);
    for (int c = 0; c < J.cols(); ++c) J(0, c) = number();
  }

  LawProblem problem;

 private:
  std::mt19937_64 random_;
};

TEST(BranchFactor, AgreesWithTheDenseFactor) {
  Worst worst("solutions and scales on branches against dense ones", 1e-9);
  for (int trial = 0; trial < repetitions(60, 2000); ++trial) {
    Forest forest(trial);
    for (const LawProblem::Mass& part : forest.problem.mass) {
      BranchFactor factor;
      ASSERT_TRUE(factor.factor(part.M, part.parent));
      const auto n = static_cast<int>(part.M.rows());
      Eigen::VectorXd b(n), x, product(n);
      for (int i = 0; i < n; ++i) b[i] = forest.number();
      x = b;
      factor.solve_upper(x.data());
      const double square = x.squaredNorm();
      factor.solve_lower(x.data());
      const Eigen::VectorXd dense = part.M.llt().solve(b);
      worst.add(relative_error(dense, x), "solution");
      worst.add(std::abs(square - b.dot(dense)) / square, "b' M^-1 b");
      factor.multiply(x.data(), product.data());
      worst.add(relative_error(b, product), "product");
    }
  }
}

TEST(BranchFactor, SaysWhereAMatrixIsNotDefinite) {
  BranchFactor factor;
  Eigen::Matrix2d M;
  M << 1.0, 2.0, 2.0, 1.0;
  EXPECT_FALSE(factor.factor(M, {}));
}

TEST(FrontalFactor, AgreesWithTheDenseFactor) {
  Worst worst("solutions by fronts against dense ones", 1e-9);
  FrontLayout layout;  // one for all: it must notice each new graph
  FrontalFactor fronts;
  for (int trial = 0; trial < repetitions(60, 2000); ++trial) {
    Forest forest(1000 + trial);
    const LawProblem& problem = forest.problem;
    const int n = problem.velocities();
    for (int k = forest.integer(0, 12); k > 0; --k) forest.add_block();
    layout.arrange(problem);
    fronts.begin(layout);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    std::size_t next = 0;
    for (const LawProblem::Mass& part : problem.mass) {
      A.block(part.first, part.first, part.M.rows(), part.M.rows()) = part.M;
      BranchFactor factor;
      ASSERT_TRUE(factor.factor(part.M, part.parent));
      for (int i = 0; i < factor.size(); ++i)
        for (const double x : factor.mass(i)) {
          fronts.entry(layout.mass()[next].lower) = x;
          fronts.entry(layout.mass()[next++].upper) = x;
        }
    }
    for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
      const auto columns = problem.columns(problem.blocks()[b]);
      const auto J = problem.J(problem.blocks()[b]);
      const auto& place = layout.place(b);
      const auto& front = layout.fronts()[static_cast<std::size_t>(place.front)];
      std::vector<int> position(columns.size());
      for (const auto& run : layout.runs(place))
        for (int k = 0; k < run.length; ++k) position[static_cast<std::size_t>(run.from + k)] = run.to + k;
      for (std::size_t r = 0; r < columns.size(); ++r)
        for (std::size_t c = 0; c < columns.size(); ++c) {
          // not symmetric, as contacts that slide
          const double x =
              J(0, static_cast<Eigen::Index>(r)) * J(0, static_cast<Eigen::Index>(c)) * (r < c ? 1.0 : 0.8);
          A(columns[r], columns[c]) += x;
          fronts.front(front)[position[r] + front.stride * position[c]] += x;
        }
    }
    ASSERT_TRUE(fronts.factor(std::vector<double>(static_cast<std::size_t>(n), 1e-12)));
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) b[i] = forest.number();
    Eigen::VectorXd x = b;
    fronts.solve(x.data());
    worst.add((A * x - b).norm() / (A.norm() * x.norm() + b.norm()), "residual");
  }
}

}  // namespace
}  // namespace cardan::test

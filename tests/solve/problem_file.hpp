// Reads problems as tools/contact_problems.py writes them.
#pragma once

#include "cardan/solve/law_problem.hpp"

#include <fstream>
#include <string>

namespace cardan::test {

struct NamedProblem {
  std::string family;
  LawProblem problem;
};

class ProblemFile {
 public:
  explicit ProblemFile(const std::string& path) : in_(path, std::ios::binary) {}
  explicit operator bool() const { return static_cast<bool>(in_); }

  /// False at the end.
  bool next(NamedProblem& out) {
    std::int32_t length = 0;
    if (!in_.read(reinterpret_cast<char*>(&length), sizeof length)) return false;
    out.family.resize(static_cast<std::size_t>(length));
    in_.read(out.family.data(), length);
    const int nv = integer(), rows = integer(), blocks = integer();
    LawProblem& problem = out.problem;
    problem.clear(nv);
    const Matrix M = matrix(nv, nv);
    problem.v_free = matrix(nv, 1);
    const Matrix J = matrix(rows, nv);
    const Eigen::VectorXd b = matrix(rows, 1);
    for (int i = 0; i < blocks; ++i) add_block(problem, J);
    problem.b = b;
    add_mass(problem, M);
    return true;
  }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int integer() {
    std::int32_t x = 0;
    in_.read(reinterpret_cast<char*>(&x), sizeof x);
    return x;
  }
  Matrix matrix(int rows, int columns) {
    Matrix out(rows, columns);
    in_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(sizeof(double)) * rows * columns);
    return out;
  }
  void add_block(LawProblem& problem, const Matrix& J) {
    const auto law = static_cast<Law>(integer());
    const int first = integer(), size = integer(), loads = integer();
    const Matrix numbers = matrix(2, 1);
    std::vector<int> columns;
    for (int c = 0; c < J.cols(); ++c)
      if (!J.col(c).segment(first, size).isZero(0.0)) columns.push_back(c);
    const int index = problem.add(law, size, columns, numbers(0), numbers(1));
    auto own = problem.J(problem.blocks()[static_cast<std::size_t>(index)]);
    for (std::size_t c = 0; c < columns.size(); ++c)
      own.col(static_cast<Eigen::Index>(c)) = J.col(columns[c]).segment(first, size);
    for (int k = 0; k < loads; ++k) {
      Load& load = problem.add_load();
      load.factor = matrix(1, 1)(0);
      const Matrix A = matrix(3, static_cast<int>(J.rows())), B = matrix(3, static_cast<int>(J.cols()));
      load.constant = matrix(3, 1);
      for (int i = 0; i < A.cols(); ++i)
        if (!A.col(i).isZero(0.0)) load.by_multiplier.push_back({i, A.col(i)});
      for (int i = 0; i < B.cols(); ++i)
        if (!B.col(i).isZero(0.0)) load.by_velocity.push_back({i, B.col(i)});
    }
  }
  /// Splits the mass matrix where nothing couples what comes before with what comes after.
  static void add_mass(LawProblem& problem, const Matrix& M) {
    const auto n = static_cast<int>(M.rows());
    for (int first = 0, end = 0; first < n; first = end) {
      for (end = first + 1; end < n && !M.block(end, first, n - end, end - first).isZero(0.0); ++end) {
      }
      problem.mass.push_back({first, M.block(first, first, end - first, end - first)});
    }
  }

  std::ifstream in_;
};

}  // namespace cardan::test

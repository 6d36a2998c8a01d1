// Comparisons relative to the size of what is compared, and a record of the largest error seen.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdio>
#include <string>

namespace cardan::test {

/// |a - b| in the largest entry, relative to the largest entry of both and to `scale`. NaN counts as infinite.
template <class A, class B>
double relative_error(const A& a, const B& b, double scale = 0.0) {
  if (a.size() == 0 && b.size() == 0) return 0.0;
  if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::infinity();
  const double size = std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), scale, 1e-300});
  return (a - b).cwiseAbs().maxCoeff() / size;
}
inline double relative_error(double a, double b, double scale = 0.0) {
  return relative_error(Eigen::Matrix<double, 1, 1>(a), Eigen::Matrix<double, 1, 1>(b), scale);
}

/// EXPECT_TRUE(near(a, b, 1e-12)): equal within the tolerance relative to the largest entry (or `scale`, if larger).
template <class A, class B>
::testing::AssertionResult near(const A& a, const B& b, double tolerance, double scale = 0.0) {
  const double error = relative_error(a, b, scale);
  if (error <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "relative error " << error << " > " << tolerance << "\nfirst:\n"
                                       << a << "\nsecond:\n"
                                       << b;
}

/// Rounding that a solution with the mass matrix H may show, cond(H) / 1e6 but at least one: relative errors are
/// divided by this.
double amplification(const Eigen::MatrixXd& H);

/// The largest error of one identity over many cases; printed at the end, so that a log shows how much room there is.
class Worst {
 public:
  Worst(std::string what, double tolerance) : what_(std::move(what)), tolerance_(tolerance) {}
  ~Worst() {
    if (cases_ > 0) std::printf("    %-58s %.1e  (limit %.0e)\n", what_.c_str(), error_, tolerance_);
  }
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;

  /// Records an error and fails the test where it is too large; `where` says in which case.
  void add(double error, const std::string& where = {}) {
    ++cases_;
    if (!(error <= error_)) error_ = error;
    if (!(error <= tolerance_) && ++failures_ <= 3)  // the first few say enough
      ADD_FAILURE() << what_ << ": " << error << " > " << tolerance_ << " " << where;
  }

 private:
  std::string what_;
  double tolerance_, error_ = 0.0;
  int cases_ = 0, failures_ = 0;
};

}  // namespace cardan::test

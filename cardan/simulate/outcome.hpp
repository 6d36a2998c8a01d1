// One number for a whole run: what a column of its outputs ended with, its least and largest value, its root mean
// square over the outputs, its integral over time.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace cardan {

enum class OutcomeKind { final, min, max, rms, integral };
/// As users write them, in this order.
const std::vector<std::string>& outcome_kind_names();

struct Outcome {
  std::string column;
  OutcomeKind kind = OutcomeKind::final;

  /// Reads COLUMN.KIND, where the columns are these. Throws std::invalid_argument, one line, with the nearest name.
  static Outcome parse(const std::string& text, const std::vector<std::string>& columns);
  std::string name() const;
};

/// Adds up an outcome, output by output, with its slopes by any number of things. The least and largest value are among
/// the outputs, the integral is that of straight lines between them.
class OutcomeSum {
 public:
  explicit OutcomeSum(OutcomeKind kind, std::size_t slopes = 0) : kind_(kind), slopes_(slopes), last_slopes_(slopes) {}

  void add(double t, double value, std::span<const double> slopes = {});
  double value() const;
  std::vector<double> slopes() const;

 private:
  OutcomeKind kind_;
  long count_ = 0;
  double t_ = 0.0, last_ = 0.0, sum_ = 0.0;
  std::vector<double> slopes_, last_slopes_;
};

}  // namespace cardan

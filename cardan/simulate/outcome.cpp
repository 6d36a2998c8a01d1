#include "cardan/simulate/outcome.hpp"

#include "cardan/text/internal/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

const std::vector<std::string>& outcome_kind_names() {
  static const std::vector<std::string> names{"final", "min", "max", "rms", "integral"};
  return names;
}

Outcome Outcome::parse(const std::string& text, const std::vector<std::string>& columns) {
  const auto dot = text.rfind('.');
  const std::string column = text.substr(0, dot), kind = dot == std::string::npos ? "" : text.substr(dot + 1);
  const auto& kinds = outcome_kind_names();
  const auto found = std::find(kinds.begin(), kinds.end(), kind);
  if (found == kinds.end()) {
    const std::string near = nearest_name(kind, kinds);
    throw std::invalid_argument(fmt::format("expected COLUMN.KIND with a kind of {}, found \"{}\"{}",
                                            fmt::join(kinds, ", "), text,
                                            near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near)));
  }
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
    const std::string near = nearest_name(column, columns);
    throw std::invalid_argument(fmt::format("\"{}\": the run has no column \"{}\"{}", text, column,
                                            near.empty() ? fmt::format(": expected one of {}", fmt::join(columns, ", "))
                                                         : fmt::format(": did you mean \"{}\"?", near)));
  }
  return {column, static_cast<OutcomeKind>(found - kinds.begin())};
}

std::string Outcome::name() const { return column + "." + outcome_kind_names()[static_cast<std::size_t>(kind)]; }

void OutcomeSum::add(double t, double value, std::span<const double> slopes) {
  const auto add_slopes = [&](double weight, std::span<const double> of) {
    for (std::size_t i = 0; i < slopes_.size(); ++i) slopes_[i] += weight * of[i];
  };
  const auto take = [&] {
    sum_ = value;
    slopes_.assign(slopes.begin(), slopes.end());
  };
  switch (kind_) {
    case OutcomeKind::final: take(); break;
    case OutcomeKind::min:
      if (count_ == 0 || value < sum_) take();
      break;
    case OutcomeKind::max:
      if (count_ == 0 || value > sum_) take();
      break;
    case OutcomeKind::rms:
      sum_ += value * value;
      add_slopes(2.0 * value, slopes);
      break;
    case OutcomeKind::integral:
      if (count_ == 0) break;
      sum_ += 0.5 * (t - t_) * (last_ + value);
      add_slopes(0.5 * (t - t_), last_slopes_);
      add_slopes(0.5 * (t - t_), slopes);
      break;
  }
  ++count_;
  t_ = t;
  last_ = value;
  last_slopes_.assign(slopes.begin(), slopes.end());
}

double OutcomeSum::value() const {
  return kind_ == OutcomeKind::rms && count_ > 0 ? std::sqrt(sum_ / static_cast<double>(count_)) : sum_;
}

std::vector<double> OutcomeSum::slopes() const {
  std::vector<double> out = slopes_;
  if (kind_ != OutcomeKind::rms) return out;
  const double root = value();
  // at zero everywhere the square root has no slope, and its least value
  for (double& x : out) x = root > 0.0 ? x / (2.0 * root * static_cast<double>(count_)) : 0.0;
  return out;
}

}  // namespace cardan

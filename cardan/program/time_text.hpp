// The parts of texts that follow time alone: when they jump, and where they change so quickly that a long step would
// not see it. Both are found by enclosures (interval arithmetic) over stretches of time, which are halved until they
// hold nothing unseen: no pulse is missed for being short.
#pragma once

#include "cardan/program/interpreter.hpp"
#include "cardan/symbolic/switches.hpp"

#include <memory>
#include <span>
#include <vector>

namespace cardan {

class TimeText {
 public:
  /// A stretch of time (s) over which texts do nothing that a few points of it do not show.
  struct Stretch {
    double begin = 0.0, end = 0.0;
  };

  /// Takes the largest parts of the outputs that depend on time alone; `is_time` says which inputs are the time.
  TimeText(Graph& graph, std::span<const Expr> outputs, const std::vector<bool>& is_time);

  /// True if no part depends on time, but for time itself.
  bool is_empty() const { return parts_.outputs() == 0; }
  /// Adds the times after t0 and up to t1 from which on a part has another value: where the new one begins to hold.
  void add_jumps(double t0, double t1, std::vector<double>& out) const;
  /// Adds stretches that follow one another from t0 to t1.
  void add_stretches(double t0, double t1, std::vector<Stretch>& out) const;

 private:
  std::vector<double> values(double t) const;
  std::vector<double> choices(double t) const;
  /// True if every switch chooses the same during the whole stretch.
  bool is_decided(const Stretch& stretch) const;
  bool jumps_at(double t, double guard, std::span<const double> scale) const;
  bool is_seen(const Stretch& stretch, std::span<const double> scale) const;

  std::size_t inputs_;
  Interpreter parts_, compared_;  // the parts themselves, and a and b of every switch
  std::vector<Op> switches_;
};
using TimeTexts = std::vector<std::shared_ptr<const TimeText>>;

/// Makes the parts of outputs that follow time; null where there are none.
std::shared_ptr<const TimeText> make_time_text(Graph& graph, std::span<const Expr> outputs,
                                               const std::vector<bool>& is_time);

}  // namespace cardan

// One model in the benchmark: all algorithms on it, ours in every form and the peer's.
#pragma once

#include "benchmarks/models.hpp"

#include <nlohmann/json.hpp>

namespace cardan::bench {

class TimedModel {
 public:
  explicit TimedModel(NamedModel named);
  ~TimedModel();

  /// One more round of everything.
  void run_round();
  /// Prints the medians as a table and adds them to the rows. The peak is in multiply-adds a nanosecond.
  void report(double peak, nlohmann::json& rows) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cardan::bench

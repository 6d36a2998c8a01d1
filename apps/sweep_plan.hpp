// Which runs a sweep is made of: every run has a number, and its number alone says what it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cardan::command {

/// NAME=LO:HI:N, evenly spaced with both ends; NAME=LO:HI, anywhere between, where runs are random.
struct Variation {
  std::string name;
  double low = 0.0, high = 0.0;
  long count = 0;  // 0: random
};
/// Throws std::runtime_error, one line, on a text that is none.
Variation parse_variation(const std::string& text, bool random);

class SweepPlan {
 public:
  /// All combinations, the last variation changing fastest.
  explicit SweepPlan(std::vector<Variation> variations);
  /// So many runs with random values, which depend on seed and run only.
  SweepPlan(std::vector<Variation> variations, long runs, std::uint64_t seed);

  const std::vector<Variation>& variations() const { return variations_; }
  long runs() const { return runs_; }
  bool is_random() const { return random_; }
  std::uint64_t seed() const { return seed_; }
  /// The values of a run, counted from 0.
  std::vector<double> values(long run) const;

 private:
  std::vector<Variation> variations_;
  long runs_ = 1;
  bool random_ = false;
  std::uint64_t seed_ = 0;
};

/// Part k of n, counted from 1: every n-th run.
struct SweepPart {
  long k = 1, n = 1;
  bool has(long run) const { return run % n == k - 1; }
};
/// "k/n". Throws std::runtime_error.
SweepPart parse_part(const std::string& text);
/// What a job array or several processes started together (SLURM, Open MPI, MPICH) say of this one; 1/1 if nothing.
SweepPart part_from_environment();

}  // namespace cardan::command

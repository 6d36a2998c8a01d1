// Where the wall time of a run goes, by parts of the work. Each moment counts once: a part that is entered within
// another interrupts it, and what belongs to none is the method's own. Counted only where somebody asks
// (Settings::profile); reading the clock then takes some 50 ns for each part that is entered.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <vector>

namespace cardan {

class RunProfile {
 public:
  enum class Part {
    method,
    accelerations,
    constraints,
    detection,
    free_motion,
    rows,
    laws,
    impacts,
    overlaps,
    rest,
    records,
    output
  };
  static constexpr std::size_t kParts = 12;
  struct Entry {
    double seconds = 0.0;
    long times = 0;  // that it was entered
  };

  /// Says what belongs to a part, in a few words.
  static const char* meaning(Part part);
  /// Names a part for machines.
  static const char* name(Part part);
  const Entry& of(Part part) const { return entries_[static_cast<std::size_t>(part)]; }
  double total() const;

  void enter(Part part);
  void leave();

  /// Counts its own scope to a part; nothing without a profile.
  class Scope {
   public:
    Scope(RunProfile* profile, Part part) : profile_(profile) {
      if (profile_ != nullptr) profile_->enter(part);
    }
    ~Scope() {
      if (profile_ != nullptr) profile_->leave();
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    RunProfile* profile_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  /// Counts the time since the last change to the part that is being worked on.
  void count();

  std::array<Entry, kParts> entries_{};
  std::vector<Part> entered_;  // each within the one before
  Clock::time_point since_{};
};

}  // namespace cardan

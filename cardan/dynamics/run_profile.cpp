#include "cardan/dynamics/run_profile.hpp"

namespace cardan {

namespace {

struct Words {
  const char* name;
  const char* meaning;
};

constexpr std::array<Words, RunProfile::kParts> kWords{{{"method", "the method itself, and preparations"},
                                                        {"accelerations", "kinematics, forces and accelerations"},
                                                        {"constraints", "loops and motions closed again"},
                                                        {"detection", "kinematics and detection of contacts"},
                                                        {"free_motion", "mass matrix and forces of contact steps"},
                                                        {"rows", "rows of contacts, limits and friction"},
                                                        {"laws", "laws of contact solved"},
                                                        {"impacts", "impacts"},
                                                        {"overlaps", "overlaps moved apart"},
                                                        {"rest", "steps at rest"},
                                                        {"records", "energies and records"},
                                                        {"output", "rows of files and pages"}}};

}  // namespace

const char* RunProfile::name(Part part) { return kWords[static_cast<std::size_t>(part)].name; }
const char* RunProfile::meaning(Part part) { return kWords[static_cast<std::size_t>(part)].meaning; }

double RunProfile::total() const {
  double sum = 0.0;
  for (const Entry& entry : entries_) sum += entry.seconds;
  return sum;
}

void RunProfile::count() {
  const Clock::time_point now = Clock::now();
  if (!entered_.empty())
    entries_[static_cast<std::size_t>(entered_.back())].seconds += std::chrono::duration<double>(now - since_).count();
  since_ = now;
}

void RunProfile::enter(Part part) {
  count();
  entered_.push_back(part);
  ++entries_[static_cast<std::size_t>(part)].times;
}

void RunProfile::leave() {
  count();
  entered_.pop_back();
}

}  // namespace cardan

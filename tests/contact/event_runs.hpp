// Runs of contact by located events.
#pragma once

#include "tests/support/contact_scenes.hpp"

namespace cardan::test {

inline constexpr const char* kClosedForms = "golden/contact.json";
inline constexpr const char* kMoreForms = "golden/contact_more.json";

/// Writes the settings of a run by events.
inline std::string by_events(double duration, const std::string& more = "") {
  return fmt::format(
      "[simulation]\ncontact = \"events\"\ntolerance = "
      "1e-11\nduration = {:.17g}\n{}\n",
      duration, more);
}

/// Lists the times of all events of a kind, each once.
inline std::vector<double> times_of(const Trajectory& run, ContactEvent::Kind kind) {
  std::vector<double> out;
  for (const ContactEvent& event : run.summary.contact->events)
    if (event.kind == kind && (out.empty() || event.t > out.back())) out.push_back(event.t);
  return out;
}

}  // namespace cardan::test

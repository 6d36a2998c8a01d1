// Scene files, each with one thing wrong, and what the complaint must say. Read by the library (tests/io) and through
// the command (tests/apps).
#pragma once

#include "tests/io/broken_actions.hpp"
#include "tests/io/broken_bodies.hpp"
#include "tests/io/broken_lines.hpp"
#include "tests/io/broken_workings.hpp"

namespace cardan::test {

inline std::vector<BrokenScene> broken_scenes() {
  std::vector<BrokenScene> all = broken_structures();
  for (auto* more : {&broken_joints, &broken_shapes, &broken_contacts, &broken_forces, &broken_lines, &broken_strands,
                     &broken_motions, &broken_constraints, &broken_records, &broken_workings})
    for (BrokenScene& broken : (*more)()) all.push_back(std::move(broken));
  return all;
}

}  // namespace cardan::test

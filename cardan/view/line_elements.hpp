// Forces that act along lines, as viewers draw them: through which points they go, and how hard they pull.
#pragma once

#include "cardan/dynamics/system.hpp"
#include "cardan/forces/path.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cardan::view {

struct LinePoint {
  int body = 0;     // 0: the world
  Vec3<double> at;  // in the body's internal frame
};

struct LineElement {
  std::string name, kind;  // kind: "spring", "cable", "muscle"
  std::vector<LinePoint> points;
  std::function<double(const Instant&)> tension;  // N, positive where it pulls
  const Path* path = nullptr;                     // where it is wrapped, or its points move: it is drawn as its trace
};

/// Finds the springs, cables and muscles of a system; at.z of their tension are the states of all forces. A path lives
/// as long as its element.
std::vector<LineElement> line_elements(const System& system);

}  // namespace cardan::view

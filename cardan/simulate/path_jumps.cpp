#include "cardan/simulate/path_jumps.hpp"

#include <cmath>

namespace cardan {

std::vector<PathJump> path_jumps(const Trajectory& run, const System& system) {
  std::vector<const LineForce*> lines;
  for (const auto& force : system.forces())
    if (const auto* line = dynamic_cast<const LineForce*>(force.get())) {
      bool can_jump = !line->path().wraps().empty();
      for (const PathPoint& point : line->path().points()) can_jump = can_jump || point.when.has_value();
      if (can_jump) lines.push_back(line);
    }
  std::vector<PathJump> out;
  if (lines.empty()) return out;
  std::vector<double> length(lines.size()), speed(lines.size());
  std::vector<bool> has_jumped(lines.size());
  StateKinematics kinematics(system.model());
  for (std::size_t row = 0; row < run.size(); ++row) {
    const Instant at = kinematics.at(run.times()[row], run.q(row), run.v(row));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double l = lines[i]->length(at), l_dot = lines[i]->speed(at);
      if (row > 0 && !has_jumped[i]) {
        const double h = run.times()[row] - run.times()[row - 1];
        const double moved = h * std::max(std::abs(speed[i]), std::abs(l_dot));
        if (std::abs(l - length[i]) > moved + 0.1 * length[i]) {
          has_jumped[i] = true;
          out.push_back({lines[i]->name(), run.times()[row], length[i], l});
        }
      }
      length[i] = l;
      speed[i] = l_dot;
    }
  }
  return out;
}

}  // namespace cardan

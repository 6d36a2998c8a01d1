// `cardan compile`: the accelerations of a scene under all that acts and holds, as one function of C.
#pragma once

#include "apps/compiled_c.hpp"
#include "cardan/dynamics/system_c_function.hpp"
#include "cardan/simulate/system_workspace.hpp"

namespace cardan::command {

class SceneAcceleration {
 public:
  explicit SceneAcceleration(const Scene& scene);

  /// True if there is more than bodies, joints and their springs.
  bool has_more() const;
  /// Says why there can be no such function, a line for each reason; empty where there can be one.
  const std::vector<std::string>& beyond() const { return beyond_; }
  CFunction in_c() const { return acceleration_in_c(system_, rows_); }
  /// Compares compiled C with the library's generic algorithms on states near the start that obey the constraints:
  /// the largest difference relative to the largest entry.
  double check(const CompiledC& code, int states);

 private:
  System system_;
  SystemWorkspace workspace_;
  State start_;
  IndependentRows rows_;
  std::vector<std::string> beyond_;
};

}  // namespace cardan::command

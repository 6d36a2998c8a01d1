// Inputs: numbers that a program writes while a mechanism moves, as motors' commands. They hold until they are written
// again; elements read them at an instant (InstantOf::u) and never know who writes them.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace cardan {

struct Input {
  std::string name{};
  double value = 0.0;  // where nobody has written it
  /// Elements feel it between -limit and limit.
  double limit = std::numeric_limits<double>::infinity();
};
using Inputs = std::vector<Input>;

/// The values where nobody has written any.
inline std::vector<double> first_values(const Inputs& inputs) {
  std::vector<double> out;
  for (const Input& input : inputs) out.push_back(input.value);
  return out;
}

}  // namespace cardan

#include "cardan/dynamics/system_c_function.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cardan {

namespace {

/// Operations beyond which C is more than a compiler takes in minutes.
constexpr std::size_t kMostOperations = 500'000;

/// "z[0] z.biceps, z[1] z.motor": which entries are whose.
std::string entries(const char* array, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += fmt::format("{}{}[{}] {}", i == 0 ? "" : ", ", array, i, names[i]);
  return out.empty() ? fmt::format("{} is not read and may be NULL", array) : out;
}

std::vector<std::string> about(const System& system, bool any_rows) {
  std::vector<std::string> inputs, out;
  for (const Input& input : system.inputs()) inputs.push_back(input.name);
  out.push_back("Accelerations a and rates z_dot of states under all that acts and holds: forces, controllers,");
  out.push_back("loops, couplings and motions; tau acts beside them. t[1]: time.");
  out.push_back("States: " + entries("z", state_columns(system.forces())) + ".");
  out.push_back("Inputs: " + entries("u", inputs) + ".");
  out.push_back(any_rows ? "q and v must obey the loops, couplings and motions. clearance[1]: 1 where these are far"
                         : "clearance[1]: 1.");
  if (any_rows) out.push_back("from repeating one another; below 1e-4 the accelerations are inexact.");
  return out;
}

}  // namespace

CFunction acceleration_in_c(const System& system, const IndependentRows& rows) {
  try {
    const SystemTrace trace = trace_system(system, rows, kMostOperations);
    program::Interface interface;
    for (const auto* in : {&trace.t, &trace.q, &trace.v, &trace.z, &trace.u, &trace.tau})
      interface.input_sizes.push_back(static_cast<int>(in->size()));
    interface.outputs = {trace.a, trace.z_dot, {trace.clearance}};
    return {"acceleration",
            about(system, !rows.rows.empty()),
            make_program(*trace.graph, interface),
            {"t", "q", "v", "z", "u", "tau", "a", "z_dot", "clearance"}};
  } catch (const GraphTooLarge&) {
    throw std::runtime_error(
        fmt::format("compile: acceleration: more than {} operations, too much for a C compiler", kMostOperations));
  }
}

}  // namespace cardan

// The accelerations of a whole system as a function of standalone C.
#pragma once

#include "cardan/compile/c_export.hpp"
#include "cardan/dynamics/system_trace.hpp"

namespace cardan {

/// "acceleration" (t, q, v, z, u, tau -> a, z_dot, clearance) of a system of which nothing is beyond code; `rows` as
/// independent_rows() gives them. Throws std::runtime_error, one line, where it is too long for a C compiler.
CFunction acceleration_in_c(const System& system, const IndependentRows& rows);

}  // namespace cardan

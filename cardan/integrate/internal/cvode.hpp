// CVODE of SUNDIALS as an integrator: backward differentiation of orders 1 to 5 with chosen order and step, for stiff
// systems that are to be followed within a tolerance. Only where the library was built with SUNDIALS.
//
// It moves the coordinates themselves, y = (q, v): its memory of earlier steps then stays good when a body turns over,
// which increments in a chart would not allow. Quaternions get back to unit length, and the dynamics' own corrections
// (loops, prescribed motions) are made, by CVODE's projection after every step. Newton's matrix comes from differences
// of the acceleration, and is kept as long as it serves.
#pragma once

#include "cardan/integrate/integrator.hpp"

namespace cardan {

bool has_cvode();
/// What to say where it is asked for and not there: "cvode" is not part of this build, and how to get it.
extern const char* const kNoCvode;

/// Throws std::invalid_argument, "integrator " kNoCvode, where it is not there.
std::unique_ptr<Integrator> make_cvode(Problem& problem, const IntegratorOptions& options);

}  // namespace cardan

// The cost of a step of the variational integrator against one of munthe_kaas_4.
#pragma once

#include <nlohmann/json.hpp>

namespace cardan::bench {

/// Times steps of both on the double pendulum, the heavy top and the torus chain, each at the step that
/// docs/integrators.md states, and of chains of more and more links.
void time_variational(nlohmann::json& rows);

}  // namespace cardan::bench

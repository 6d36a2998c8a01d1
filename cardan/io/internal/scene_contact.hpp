// The ground and the rules of contact in scene files.
#pragma once

#include "cardan/collision/contact_rules.hpp"
#include "cardan/dynamics/settings.hpp"
#include "cardan/io/internal/toml.hpp"
#include "cardan/model/model.hpp"

namespace cardan::io {

/// Reads [ground], where there is one, and all [[contact]]; files are looked for in the folder.
ContactRules read_contact(const Model& model, const TomlValue& ground, const std::vector<TomlValue>& contacts,
                          const std::string& folder);

/// Reads the coefficients that a table has: friction, restitution, ...; other keys are the caller's.
ContactCoefficients read_coefficients(const TomlValue& table);

/// What [simulation] says about contact: contact, penetration, residual.
void read_contact_settings(const TomlValue& simulation, Settings& settings);

}  // namespace cardan::io

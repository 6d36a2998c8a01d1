// Muscles of OpenSim: Thelen2003Muscle, Millard2012EquilibriumMuscle, DeGrooteFregly2016Muscle.
#pragma once

#include "cardan/io/internal/osim_values.hpp"
#include "cardan/io/internal/toml_build.hpp"

namespace cardan::io {

/// Names the types of muscles that are read.
const std::vector<std::string>& osim_muscle_types();

/// Writes [[force]] of a muscle but for its path; what it does not say is that of `defaults`, where there are some. The
/// excitation is an input of the muscle's name, which the caller adds.
TomlNode osim_muscle(const XmlElement& muscle, const XmlElement& defaults, const std::string& name, LeftOut& left_out);

}  // namespace cardan::io

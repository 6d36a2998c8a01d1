// Numbers with units in scene files, "500 mm": whether they are of the kind that their key takes.
#pragma once

#include "cardan/io/internal/toml.hpp"

#include <string_view>

namespace cardan::io {

/// Whether all coordinates of joints of this type are angles.
bool is_turning(std::string_view joint_type);

/// Complains of a quantity in a table, or in the tables inside it, that is of another kind than the table of keys says
/// of its key: a time for a length. Units that depend on how a joint moves ("m, rad") are those of its type, which is
/// the table's own where none is named; of types that both turn and shift either will do.
void check_units(const TomlValue& table, std::string_view key_table_name, std::string_view joint_type = {});

/// Complains of such a quantity in a value, or in the lists inside it.
void check_unit(const TomlValue& value, std::string_view unit, std::string_view joint_type);

}  // namespace cardan::io

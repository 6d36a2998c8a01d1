// [[record]] tables of springs, cables and muscles.
#pragma once

#include "cardan/dynamics/records.hpp"
#include "cardan/forces/force.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// True if the table records a force along a line.
bool is_line_record(const TomlValue& table);
void add_line_record(const Model& model, const Forces& forces, const TomlValue& table, Records& records);

}  // namespace cardan::io

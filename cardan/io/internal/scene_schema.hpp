// The JSON Schema (draft 2020-12) of scene files, written from the table of keys, for editors and validators.
#pragma once

#include <string>

namespace cardan::io {

/// Writes the schema as JSON. It sees keys, types, words, ranges and what goes with what inside a table; names of
/// bodies and joints, texts and files are left to the reader.
std::string scene_schema();

}  // namespace cardan::io

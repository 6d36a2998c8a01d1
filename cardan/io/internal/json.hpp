// JSON for the readers: errors of syntax with file and line.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace cardan::io {

using Json = nlohmann::json;

/// Throws ModelError, one line: format: FILE:LINE: expected JSON, found ...
Json parse_json(std::string_view text, const std::string& format, const std::string& name);

/// What a value is, for messages: "a list of 3 entries", "null", "the text "abc"".
std::string kind(const Json& value);

}  // namespace cardan::io

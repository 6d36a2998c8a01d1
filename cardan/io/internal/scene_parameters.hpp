// What every text of a scene may use: the numbers of [parameters] and the functions of [tables].
#pragma once

#include "cardan/io/internal/toml.hpp"
#include "cardan/symbolic/parse.hpp"

#include <map>

namespace cardan::io {

/// A text that stands for a number is an expression of the parameters, and keeps being one: values are put in when it
/// is read, so that a scene can be read again with others.
struct SceneNames {
  std::vector<std::pair<std::string, double>> parameters{};  // in the file's order
  Symbols symbols{};                                         // the same, and the tables' functions
};

/// Reads [parameters], whose texts may use one another, and [tables], whose numbers may be texts of these. The source
/// is that of the file, without names.
SceneNames read_names(const TomlNode& root, const Source& source);

/// Evaluates a text of parameters. Throws ParseError.
double value_of(const std::string& text, const SceneNames& names);

}  // namespace cardan::io

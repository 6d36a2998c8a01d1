// Helpers of expressions: names for parts of them, given in any order, which may use one another.
#pragma once

#include "cardan/symbolic/parse.hpp"

#include <span>
#include <string>

namespace cardan {

struct Definition {
  std::string name, text;
};

/// What is wrong with one of several definitions.
struct DefinitionError : ParseError {
  DefinitionError(std::size_t which, int at_column, const std::string& message)
      : ParseError(at_column, message), definition(which) {}
  std::size_t definition;  // its index
};

/// Adds the definitions to the symbols. Throws DefinitionError on a text that cannot be read, a name that is taken,
/// or a cycle, which the message names: "a uses b uses a".
void define(Symbols& symbols, std::span<const Definition> definitions, const ParseLimits& limits = {});

}  // namespace cardan

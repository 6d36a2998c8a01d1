// A program as a C99 function: no memory of its own, nothing but <math.h>.
#pragma once

#include "cardan/program/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace cardan::program {

/// An identifier of C that resembles the text: other characters become '_', and no keyword results.
std::string c_identifier(std::string_view text);

/// "void name(const double* q, double* out)", with these names for the arrays (inputs, then outputs).
std::string c_declaration(const std::string& name, const Program& program, const std::vector<std::string>& arrays);

/// The whole function. Calls of functions from <math.h> are one by one.
std::string c_function(const std::string& name, const Program& program, const std::vector<std::string>& arrays);

}  // namespace cardan::program

// The expression language of scene files: + - * / ^, the functions of a pocket calculator, if(condition, a, b) with
// < <= > >=, pi and deg; numbers may have units ("30 deg", "9.81 m/s^2") and are then converted to SI units. It can
// compute and nothing else. Limits on length, depth and graph size keep hostile text cheap.
#pragma once

#include "cardan/symbolic/expr.hpp"
#include "cardan/text/units.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

/// What is wrong with a text, and where: `column` counts characters from 1.
struct ParseError : std::runtime_error {
  ParseError(int at_column, const std::string& message) : std::runtime_error(message), column(at_column) {}
  int column;
};

/// What names stand for: coordinates, parameters, helpers; and functions of one number that the user brings.
struct Symbols : std::map<std::string, Expr, std::less<>> {
  using map::map;
  std::map<std::string, std::function<Expr(Expr)>, std::less<>> functions{};
};

struct ParseLimits {
  std::size_t length = 20'000;  // characters
  int depth = 200;              // nested brackets and signs
};

/// "R + r*cos(v)".
Expr parse_expression(std::string_view text, const Symbols& symbols, const ParseLimits& limits = {});

/// The kind of quantity that a text is, where it is a number with its unit and nothing else: "-500 mm".
std::optional<Dimension> quantity_in(std::string_view text, const Symbols& symbols);

/// Why the word cannot name a coordinate, a parameter or a helper, as "expected ..., found ..."; empty if it can.
std::string name_problem(std::string_view word);

/// The names that an expression uses and that are neither functions nor pi and deg nor units right behind a number, in
/// order of appearance.
std::vector<std::string> names_in(std::string_view text, const ParseLimits& limits = {});

}  // namespace cardan

// Lists of numbers that expressions read by index: breakpoints and coefficients of piecewise functions. An expression
// is made of numbers only, so it names a list by the list's own number. Lists are kept as long as the process lives,
// equal ones once, and reading them takes no lock.
#pragma once

#include <span>
#include <vector>

namespace cardan {

/// Keeps a list and returns its number. Throws std::length_error where there are too many lists, std::invalid_argument
/// on an empty one.
double keep_table(std::vector<double> numbers);

/// The list with this number.
std::span<const double> kept_table(double number);

/// Returns entry i of a list; the first or last one where i lies outside.
double table_entry(double i, double table);

/// Finds the piece that x lies in: the last i with entry(i) <= x, at least 0. The list rises.
double table_piece(double x, double table);

}  // namespace cardan

// Arrays of Python as arguments of the algorithms: float64, rows of n numbers, any number of axes before them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

namespace cardan::python {

namespace nb = nanobind;

using Array = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// Leading axes of arguments, and how many rows they make.
struct Rows {
  std::vector<std::size_t> shape;
  std::size_t count() const {
    std::size_t out = 1;
    for (const std::size_t n : shape) out *= n;
    return out;
  }
};

/// Takes an argument as rows of n numbers: arrays as they are, all else by numpy.asarray. Throws ValueError that names
/// the argument, the expected and the found size.
Array rows_of(nb::handle value, const char* name, int n);
/// The axes before the last `inner` ones.
Rows leading(const Array& array, std::size_t inner = 1);

/// One argument of a batch, bound to the common rows.
struct Argument {
  Array array;
  bool is_common;  // one row for all
};
/// Finds the rows that all arguments have, or that all but single rows have. Throws ValueError where they differ.
Rows common_rows(const std::vector<Array>& arrays, const std::vector<const char*>& names,
                 std::vector<Argument>& arguments);

/// Result of leading rows and own axes: `out` where the caller gave one, checked; else a new array.
struct Result {
  nb::object array;
  double* data = nullptr;
};
Result make_result(const Rows& rows, const std::vector<std::size_t>& own, nb::handle out = nb::none());

/// A new array with a copy of the numbers.
nb::object copied(const double* data, const std::vector<std::size_t>& shape);

}  // namespace cardan::python

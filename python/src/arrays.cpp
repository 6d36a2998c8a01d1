#include "arrays.hpp"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

namespace cardan::python {

namespace {

std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::vector<std::size_t> shape_of(const Array& array) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < array.ndim(); ++i) out.push_back(array.shape(i));
  return out;
}

}  // namespace

Array rows_of(nb::handle value, const char* name, int n) {
  Array out;
  if (!nb::try_cast<Array>(value, out, false)) {
    nb::object plain;
    try {
      const nb::module_ numpy = nb::module_::import_("numpy");
      plain = numpy.attr("ascontiguousarray")(value, numpy.attr("float64"));
    } catch (const nb::python_error&) {
      throw std::invalid_argument(
          fmt::format("{}: expected an array of numbers, found {}", name, nb::repr(value.type()).c_str()));
    }
    out = nb::cast<Array>(plain);
  }
  if (out.ndim() == 0 || out.shape(out.ndim() - 1) != static_cast<std::size_t>(n))
    throw std::invalid_argument(
        fmt::format("{}: expected an array of shape (..., {}), found {}", name, n, shape_text(shape_of(out))));
  return out;
}

Rows leading(const Array& array, std::size_t inner) {
  Rows out{shape_of(array)};
  out.shape.resize(out.shape.size() - std::min(inner, out.shape.size()));
  return out;
}

Rows common_rows(const std::vector<Array>& arrays, const std::vector<const char*>& names,
                 std::vector<Argument>& arguments) {
  Rows common;
  const char* first = nullptr;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Rows own = leading(arrays[i]);
    if (own.shape.empty()) continue;
    if (first != nullptr && own.shape != common.shape)
      throw std::invalid_argument(fmt::format("{}: expected {} rows before the last axis as {} has, found {}", names[i],
                                              shape_text(common.shape), first, shape_text(own.shape)));
    common = own;
    first = names[i];
  }
  for (const Array& array : arrays) arguments.push_back({array, leading(array).shape.empty()});
  return common;
}

Result make_result(const Rows& rows, const std::vector<std::size_t>& own, nb::handle out) {
  std::vector<std::size_t> shape = rows.shape;
  shape.insert(shape.end(), own.begin(), own.end());
  if (out.is_none()) {
    const nb::module_ numpy = nb::module_::import_("numpy");
    nb::object array = numpy.attr("empty")(nb::tuple(nb::cast(shape)));
    auto view = nb::cast<nb::ndarray<double, nb::c_contig, nb::device::cpu>>(array);
    return {array, view.data()};
  }
  nb::ndarray<double, nb::c_contig, nb::device::cpu> view;
  if (!nb::try_cast(out, view, false))
    throw std::invalid_argument("out: expected a float64 array, C-contiguous and writable, found another");
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < view.ndim(); ++i) found.push_back(view.shape(i));
  if (found != shape)
    throw std::invalid_argument(
        fmt::format("out: expected an array of shape {}, found {}", shape_text(shape), shape_text(found)));
  return {nb::borrow(out), view.data()};
}

nb::object copied(const double* data, const std::vector<std::size_t>& shape) {
  const Result out = make_result({}, shape);
  std::copy_n(data, Rows{shape}.count(), out.data);
  return out.array;
}

}  // namespace cardan::python

#include "arrays.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace cardan::python {

namespace {

template <class Shape>
std::string shape_text(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// A function of numpy, looked up once; it lives as long as the interpreter.
nb::handle numpy_function(const char* name) { return nb::object(nb::module_::import_("numpy").attr(name)).release(); }

nb::object empty_array(const nb::object& shape) {
  static const nb::handle function = numpy_function("empty");
  return function(shape);
}

std::vector<Py_ssize_t> shape_of(const Rows& rows, std::initializer_list<int> own) {
  std::vector<Py_ssize_t> out(rows.shape.begin(), rows.shape.end());
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

bool is_shape(std::span<const Py_ssize_t> found, const Rows& rows, std::initializer_list<int> own) {
  if (found.size() != rows.shape.size() + own.size()) return false;
  const auto first = found.begin() + static_cast<std::ptrdiff_t>(rows.shape.size());
  const auto same = [](Py_ssize_t a, auto b) { return a == static_cast<Py_ssize_t>(b); };
  return std::equal(found.begin(), first, rows.shape.begin(), same) &&
         std::equal(first, found.end(), own.begin(), same);
}

[[noreturn]] void refuse_out(std::span<const Py_ssize_t> found, const Rows& rows, std::initializer_list<int> own) {
  throw std::invalid_argument(
      fmt::format("out: expected an array of shape {}, found {}", shape_text(shape_of(rows, own)), shape_text(found)));
}

Result given_result(const Rows& rows, std::initializer_list<int> own, nb::handle out) {
  Buffer buffer;
  if (buffer.take(out, Buffer::Use::write)) {
    if (!is_shape(buffer.shape(), rows, own)) refuse_out(buffer.shape(), rows, own);
    return {nb::borrow(out), buffer.data()};
  }
  nb::ndarray<double, nb::c_contig, nb::device::cpu> other;  // of libraries that have no buffers
  if (!nb::try_cast(out, other, false))
    throw std::invalid_argument("out: expected a float64 array, C-contiguous and writable, found another");
  std::vector<Py_ssize_t> found;
  for (std::size_t i = 0; i < other.ndim(); ++i) found.push_back(static_cast<Py_ssize_t>(other.shape(i)));
  if (!is_shape(found, rows, own)) refuse_out(found, rows, own);
  return {nb::borrow(out), other.data()};
}

}  // namespace

bool Buffer::take(nb::handle object, Use use) {
  const int writable = use == Use::write ? PyBUF_WRITABLE : 0;
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | writable) != 0) {
    PyErr_Clear();
    view_ = {};
    return false;
  }
  const std::string_view format = view_.format != nullptr ? view_.format : "B";
  if (format == "d" || format == "<d" || format == "=d") return true;
  PyBuffer_Release(&view_);
  return false;
}

Array::Array(nb::handle value, const char* name, int n) : name_(name) {
  if (!buffer_.take(value, Buffer::Use::read)) {
    static const nb::handle convert = numpy_function("ascontiguousarray");
    nb::object plain;
    try {
      plain = convert(value, "d");
    } catch (const nb::python_error&) {
      throw std::invalid_argument(
          fmt::format("{}: expected an array of numbers, found {}", name, nb::repr(value.type()).c_str()));
    }
    buffer_.take(plain, Buffer::Use::read);
  }
  if (axes() == 0 || shape(axes() - 1) != static_cast<std::size_t>(n))
    throw std::invalid_argument(
        fmt::format("{}: expected an array of shape (..., {}), found {}", name, n, shape_text(buffer_.shape())));
}

bool Array::is_finite() const {
  return std::all_of(data(), data() + size(), [](double x) { return std::isfinite(x); });
}

Rows Array::leading() const {
  const auto all = buffer_.shape();
  return {{all.begin(), all.end() - 1}};
}

Rows common_rows(std::initializer_list<const Array*> arrays) {
  Rows common;
  const Array* first = nullptr;
  for (const Array* array : arrays) {
    if (array->is_single()) continue;
    const Rows own = array->leading();
    if (first != nullptr && own.shape != common.shape)
      throw std::invalid_argument(fmt::format("{}: expected {} rows before the last axis as {} has, found {}",
                                              array->name(), shape_text(common.shape), first->name(),
                                              shape_text(own.shape)));
    common = own;
    first = array;
  }
  return common;
}

Result make_result(const Rows& rows, std::initializer_list<int> own, nb::handle out) {
  if (!out.is_none()) return given_result(rows, own, out);
  const bool is_row = rows.shape.empty() && own.size() == 1;
  nb::object array =
      empty_array(is_row ? nb::cast(*own.begin()) : nb::object(nb::tuple(nb::cast(shape_of(rows, own)))));
  Buffer buffer;
  buffer.take(array, Buffer::Use::write);
  return {std::move(array), buffer.data()};
}

nb::object copied(std::span<const double> numbers) {
  Result out = make_result({}, {static_cast<int>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), out.data);
  return out.array;
}

}  // namespace cardan::python

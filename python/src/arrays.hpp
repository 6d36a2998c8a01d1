// Arrays of Python as arguments of the algorithms: float64, rows of n numbers, any number of axes before them. They are
// read where they lie, by the buffer protocol, which costs a third of an exchange by DLPack.
#pragma once

#include <nanobind/nanobind.h>

#include <initializer_list>
#include <span>
#include <vector>

namespace cardan::python {

namespace nb = nanobind;

/// Memory of an object of Python that holds float64 numbers without gaps.
class Buffer {
 public:
  enum class Use { read, write };
  Buffer() = default;
  Buffer(const Buffer&) = delete;  // some exporters let the view point to itself
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (view_.obj != nullptr) PyBuffer_Release(&view_);
  }
  /// Takes the memory; false, without an error of Python's, where it is of another kind.
  bool take(nb::handle object, Use use);

  double* data() const { return static_cast<double*>(view_.buf); }
  std::size_t axes() const { return static_cast<std::size_t>(view_.ndim); }
  std::size_t shape(std::size_t axis) const { return static_cast<std::size_t>(view_.shape[axis]); }
  std::span<const Py_ssize_t> shape() const { return {view_.shape, axes()}; }
  std::size_t size() const { return static_cast<std::size_t>(view_.len) / sizeof(double); }

 private:
  Py_buffer view_{};
};

/// Leading axes of arguments, and how many rows they make.
struct Rows {
  std::vector<std::size_t> shape;
  std::size_t count() const {
    std::size_t out = 1;
    for (const std::size_t n : shape) out *= n;
    return out;
  }
};

/// An argument as rows of n numbers: arrays as they are, all else by numpy.ascontiguousarray.
class Array {
 public:
  /// Throws ValueError that names the argument, the expected and the found size.
  Array(nb::handle value, const char* name, int n);

  const char* name() const { return name_; }
  std::size_t axes() const { return buffer_.axes(); }
  std::size_t shape(std::size_t axis) const { return buffer_.shape(axis); }
  std::size_t size() const { return buffer_.size(); }
  const double* data() const { return buffer_.data(); }
  /// One row holds for all.
  bool is_single() const { return axes() == 1; }
  const double* row(std::size_t i) const { return data() + (is_single() ? 0 : i * shape(axes() - 1)); }
  bool is_finite() const;
  /// The axes before the last one.
  Rows leading() const;

 private:
  Buffer buffer_;
  const char* name_;
};

/// Finds the rows that all arguments have, or that all but single rows have. Throws ValueError where they differ.
Rows common_rows(std::initializer_list<const Array*> arrays);

/// Result of leading rows and own axes.
struct Result {
  nb::object array;
  double* data = nullptr;
};
/// Makes it, or takes what the caller gave for it. Throws ValueError where that is of another kind or shape.
Result make_result(const Rows& rows, std::initializer_list<int> own, nb::handle out = nb::none());

/// A new array with a copy of the numbers.
nb::object copied(std::span<const double> numbers);

}  // namespace cardan::python

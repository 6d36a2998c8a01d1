// Vectors and matrices at the edge of the library: anything with data() and size() (std::vector, Eigen vectors),
// and column-major matrices. Sizes are checked once, here.
#pragma once

#include "cardan/math/inline.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace cardan {

template <class T>
class VectorView {
 public:
  VectorView(T* data, int size) : data_(data), size_(size) {}
  template <class V>
    requires requires(V& v) {
      { v.data() } -> std::convertible_to<T*>;
      v.size();
    }
  VectorView(V&& v) : data_(v.data()), size_(static_cast<int>(v.size())) {}

  CARDAN_INLINE T* data() const { return data_; }
  CARDAN_INLINE int size() const { return size_; }
  CARDAN_INLINE T& operator[](int i) const { return data_[i]; }

 private:
  T* data_;
  int size_;
};
// Parameters of the algorithms. They take part in no deduction: the scalar is that of the workspace, and whatever
// converts to a view may be given.
template <class T>
using In = VectorView<const std::type_identity_t<T>>;
template <class T>
using Out = VectorView<std::type_identity_t<T>>;

/// Column-major with a column stride, like Eigen's default.
template <class T>
class MatrixView {
 public:
  MatrixView(T* data, int rows, int cols) : data_(data), rows_(rows), cols_(cols), stride_(rows) {}
  template <class M>
    requires requires(M& m) {
      { m.data() } -> std::convertible_to<T*>;
      m.rows();
      m.outerStride();
    }
  MatrixView(M&& m)
      : data_(m.data()),
        rows_(static_cast<int>(m.rows())),
        cols_(static_cast<int>(m.cols())),
        stride_(static_cast<int>(m.outerStride())) {
    static_assert(!std::remove_cvref_t<M>::IsRowMajor, "matrices are column-major");
  }

  CARDAN_INLINE int rows() const { return rows_; }
  CARDAN_INLINE int cols() const { return cols_; }
  CARDAN_INLINE int stride() const { return stride_; }
  CARDAN_INLINE T& operator()(int i, int j) const { return column(j)[i]; }
  CARDAN_INLINE T* column(int j) const {
    return data_ + static_cast<std::ptrdiff_t>(j) * static_cast<std::ptrdiff_t>(stride_);
  }

 private:
  T* data_;
  int rows_, cols_, stride_;
};

template <class T>
using OutMatrix = MatrixView<std::type_identity_t<T>>;

namespace detail {
inline void check_size(const char* function, const char* what, int expected, int found) {
  if (expected != found)
    throw std::invalid_argument(std::string(function) + ": " + what + " must have " + std::to_string(expected) +
                                " entries, found " + std::to_string(found));
}
inline void check_size(const char* function, const char* what, int rows, int cols, int found_rows, int found_cols) {
  if (rows != found_rows || cols != found_cols)
    throw std::invalid_argument(std::string(function) + ": " + what + " must be " + std::to_string(rows) + " x " +
                                std::to_string(cols) + ", found " + std::to_string(found_rows) + " x " +
                                std::to_string(found_cols));
}

template <class T>
CARDAN_INLINE void set_zero(const MatrixView<T>& H) {
  if (H.stride() == H.rows()) {
    std::fill_n(H.column(0), static_cast<std::ptrdiff_t>(H.rows()) * H.cols(), T(0.0));
  } else {
    for (int j = 0; j < H.cols(); ++j) std::fill_n(H.column(j), H.rows(), T(0.0));
  }
}
}  // namespace detail

}  // namespace cardan

// Spatial vectors of all velocities, component by component, so that one register holds the same component of several
// neighboring columns. Bodies are numbered depth first: the columns of a subtree are neighbors.
#pragma once

#include "cardan/math/pack.hpp"
#include "cardan/spatial/vectors.hpp"

#include <cstdint>

namespace cardan {

/// A view. Lanes are taken from the end of a range and may overhang its beginning, so there is room before column 0;
/// the end of all columns lies on a register boundary, because a load across one that was just stored to stalls.
template <class T>
class SpatialColumns {
 public:
  using L = typename Lanes<T>::type;
  static constexpr int width = Lanes<T>::width;

  static constexpr std::size_t storage(int columns) { return static_cast<std::size_t>(6 * row_size(columns) + width); }
  SpatialColumns(T* memory, int columns) : stride_(row_size(columns)) {
    std::uintptr_t start = reinterpret_cast<std::uintptr_t>(memory);
    constexpr std::uintptr_t boundary = sizeof(T) * static_cast<std::uintptr_t>(width);
    if constexpr (width > 1) start = (start + boundary - 1) / boundary * boundary;
    first_ = reinterpret_cast<T*>(start) + (stride_ - columns);
  }

  CARDAN_INLINE T* row(int component) const { return first_ + component * stride_; }
  template <class Vector6>
  CARDAN_INLINE Vector6 load(int k) const {
    Vector6 f;
    for (int c = 0; c < 6; ++c) f[c] = Lanes<T>::load(row(c) + k);
    return f;
  }
  template <class Vector6>
  CARDAN_INLINE void store(int k, const Vector6& f) const {
    for (int c = 0; c < 6; ++c) Lanes<T>::store(f[c], row(c) + k);
  }
  template <class Vector6>
  CARDAN_INLINE void set(int k, const Vector6& f) const {
    for (int c = 0; c < 6; ++c) row(c)[k] = f[c];
  }
  template <class Vector6>
  CARDAN_INLINE Vector6 get(int k) const {
    Vector6 f;
    for (int c = 0; c < 6; ++c) f[c] = row(c)[k];
    return f;
  }

 private:
  static constexpr int row_size(int columns) { return (columns + 2 * width - 1) / width * width; }
  T* first_;
  int stride_;
};

}  // namespace cardan

// A short list in memory of fixed size that is not touched before it is used: filling arrays of points with zeros costs
// more than clipping them.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace cardan::collision {

template <class T, int N>
class FixedList {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  FixedList() {}  // NOLINT: the memory stays as it is
  FixedList(const FixedList& o) { *this = o; }
  FixedList& operator=(const FixedList& o) {
    count_ = 0;
    for (int i = 0; i < o.count_; ++i) add(o[i]);
    return *this;
  }

  int count() const { return count_; }
  bool is_full() const { return count_ == N; }
  /// Appends, unless the list is full.
  void add(const T& value) {
    if (count_ < N) std::construct_at(place(count_++), value);
  }
  /// Leaves the first ones.
  void shorten(int count) { count_ = count; }
  T& operator[](int i) { return *std::launder(place(i)); }
  const T& operator[](int i) const {
    return *std::launder(reinterpret_cast<const T*>(memory_ + static_cast<std::size_t>(i) * sizeof(T)));
  }

 private:
  T* place(int i) { return reinterpret_cast<T*>(memory_ + static_cast<std::size_t>(i) * sizeof(T)); }

  int count_ = 0;
  alignas(T) std::byte memory_[sizeof(T) * static_cast<std::size_t>(N)];
};

}  // namespace cardan::collision

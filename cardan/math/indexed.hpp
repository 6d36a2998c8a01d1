// A vector that is indexed by int, as all counts of bodies, joints and coordinates are.
#pragma once

#include <cstddef>
#include <vector>

namespace cardan {

template <class T>
class Indexed : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  Indexed(std::vector<T> values) : std::vector<T>(std::move(values)) {}

  decltype(auto) operator[](int i) { return std::vector<T>::operator[](static_cast<std::size_t>(i)); }
  decltype(auto) operator[](int i) const { return std::vector<T>::operator[](static_cast<std::size_t>(i)); }
  /// The number of entries as an int.
  int count() const { return static_cast<int>(std::vector<T>::size()); }
};

}  // namespace cardan

// Memory for a few numbers, as many as a control law has forces: on the stack, where they are not many.
#pragma once

#include <span>
#include <vector>

namespace cardan {

/// Holds n numbers, zero at first.
class ShortList {
 public:
  explicit ShortList(std::size_t n) : n_(n), large_(n <= kFew ? 0 : n) {}
  operator std::span<double>() { return {n_ <= kFew ? small_ : large_.data(), n_}; }  // NOLINT: it is one

 private:
  static constexpr std::size_t kFew = 192;
  std::size_t n_;
  double small_[kFew] = {};
  std::vector<double> large_;
};

}  // namespace cardan

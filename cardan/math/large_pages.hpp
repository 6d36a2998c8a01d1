// Allocates large arrays on large pages of memory, where the system has them (2 MB instead of 4 KB on Linux): an array
// that is read once from end to end spends less time on finding its pages than on the numbers in them.
#pragma once

#include <cstddef>
#include <new>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace cardan {

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < kLarge) return static_cast<T*>(::operator new(bytes));
    void* const out = ::operator new(whole_pages(bytes), std::align_val_t(kPage));
#ifdef __linux__
    (void)madvise(out, whole_pages(bytes), MADV_HUGEPAGE);  // a wish: without it everything is right, only slower
#endif
    return static_cast<T*>(out);
  }
  void deallocate(T* p, std::size_t n) {
    if (n * sizeof(T) < kLarge)
      ::operator delete(p);
    else
      ::operator delete(p, std::align_val_t(kPage));
  }
  template <class U>
  bool operator==(const LargePages<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20, kLarge = 2 * kPage;
  static std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace cardan

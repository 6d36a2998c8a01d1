// Counts the memory allocations of this program: operator new is replaced where this file is used.
#pragma once

namespace cardan::test {

/// How many allocations there have been since it was made.
class AllocationCounter {
 public:
  AllocationCounter();
  long count() const;

 private:
  long before_;
};

}  // namespace cardan::test

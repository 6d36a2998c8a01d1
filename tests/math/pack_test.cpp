#include "cardan/math/pack.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cardan::test {

namespace {

using L = Lanes<double>;

L::type counting() {
  std::vector<double> numbers;
  for (int i = 0; i < L::width; ++i) numbers.push_back(i + 1.0);
  return L::load(numbers.data());
}

TEST(Pack, StoresTheLanesFromOneOnAndNoOther) {
  for (int first = -2; first <= L::width + 5; ++first) {
    std::vector<double> memory(3 * static_cast<std::size_t>(L::width), -1.0);
    L::store_from(counting(), first, memory.data() + L::width);
    for (int i = 0; i < 3 * L::width; ++i) {
      const int lane = i - L::width;
      const bool stored = lane >= 0 && lane >= first && lane < L::width;
      EXPECT_EQ(memory[static_cast<std::size_t>(i)], stored ? lane + 1.0 : -1.0) << "first " << first;
    }
  }
}

TEST(Pack, StoresTheLanesBeforeOneAndNoOther) {
  for (int end = -2; end <= L::width + 2; ++end) {
    std::vector<double> memory(3 * static_cast<std::size_t>(L::width), -1.0);
    L::store_until(counting(), end, memory.data() + L::width);
    for (int i = 0; i < 3 * L::width; ++i) {
      const int lane = i - L::width;
      const bool stored = lane >= 0 && lane < end && lane < L::width;
      EXPECT_EQ(memory[static_cast<std::size_t>(i)], stored ? lane + 1.0 : -1.0) << "end " << end;
    }
  }
}

}  // namespace

}  // namespace cardan::test

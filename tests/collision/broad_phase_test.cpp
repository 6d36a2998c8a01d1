// The broad phase against all pairs.
#include "cardan/collision/broad_phase.hpp"

#include "tests/collision/random_solids.hpp"
#include "tests/support/allocation_counter.hpp"

#include <gtest/gtest.h>

namespace cardan::test::broad_phase_test {
namespace {

using collision::AxisBox;
using collision::BoxPair;
using collision::BroadPhase;

TEST(BroadPhase, FindsAllPairsInOrder) {
  SolidMaker random(20261120);
  for (const int count : {0, 1, 2, 50, 600, 3200}) {
    std::vector<bool> moves;
    for (int i = 0; i < count; ++i) moves.push_back(random.integer(4) > 0);
    BroadPhase phase(moves);
    const auto place = [&](int i) {
      const double width = 2.0 + std::cbrt(2.0 * count);
      const Vec3<double> p{random.number(0, width), random.number(0, width), random.number(0, width)};
      phase.box(i) = {p, p + Vec3<double>{random.number(0, 1), random.number(0, 1), random.number(0, 1)}};
    };
    for (int i = 0; i < count; ++i) place(i);
    phase.build_static();
    for (int step = 0; step < 3; ++step) {
      for (int i = 0; i < count; ++i)
        if (moves[static_cast<std::size_t>(i)]) place(i);
      std::vector<BoxPair> expected;
      for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
          if ((moves[static_cast<std::size_t>(i)] || moves[static_cast<std::size_t>(j)]) &&
              phase.box(i).overlaps(phase.box(j)))
            expected.push_back({i, j});
      ASSERT_EQ(phase.update(), expected) << count;
    }
  }
}

TEST(BroadPhase, AllocatesNothingAfterTheFirstUpdate) {
  for (const int count : {100, 3000}) {
    SolidMaker random(20261121);
    BroadPhase phase(std::vector<bool>(static_cast<std::size_t>(count), true));
    const auto place = [&] {
      const double width = std::cbrt(static_cast<double>(count));
      for (int i = 0; i < count; ++i) {
        const Vec3<double> p{random.number(0, width), random.number(0, width), random.number(0, width)};
        phase.box(i) = {p, p + Vec3<double>{0.5, 0.5, 0.5}};
      }
    };
    place();
    phase.build_static();
    (void)phase.update();
    const AllocationCounter allocations;
    for (int i = 0; i < 5; ++i) {
      place();
      (void)phase.update();
    }
    EXPECT_EQ(allocations.count(), 0);
  }
}

}  // namespace
}  // namespace cardan::test::broad_phase_test

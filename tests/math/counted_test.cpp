// The counting scalar: what counts, what is free, and that it cannot compare.
#include "cardan/math/counted.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "cardan/math/matrix.hpp"

namespace cardan {
namespace {

using C = Counted<>;

template <class T>
concept Compares = requires(T a, T b) {
  a < b;
}
|| requires(T a, T b) { a == b; }
|| requires(T a) { a ? 1 : 0; };

static_assert(!Compares<Counted<double>> && !Compares<Counted<float>>);
static_assert(Compares<double>);
static_assert(!std::convertible_to<double, C>, "a plain number must be written T(0.5)");

TEST(Counted, CountsEachKindOfOperation) {
  C a(6.0), b(2.0);
  C::reset();
  EXPECT_EQ((a + b).value, 8);
  EXPECT_EQ((a - b).value, 4);
  EXPECT_EQ((a * b).value, 12);
  EXPECT_EQ((a / b).value, 3);
  a += b;
  a -= b;
  EXPECT_EQ(a.value, 6);
  EXPECT_EQ(sqrt(C(9.0)).value, 3);
  EXPECT_EQ(sin(C(0.0)).value + cos(C(0.0)).value + atan2(C(0.0), C(1.0)).value, 1);
  EXPECT_EQ(C::count(), (OperationCount{1, 4, 1, 1, 3}));
}

TEST(Counted, NegationCopyAndSelectAreFree) {
  C::reset();
  const C a(6.0), b(2.0), copy = -a;
  EXPECT_EQ(copy.value, -6);
  EXPECT_EQ(select_less(a, b, a, b).value, 2);
  EXPECT_EQ(select_less(b, a, a, b).value, 6);
  EXPECT_EQ(select_less(a, a, a, b).value, 2) << "less, not less or equal";
  EXPECT_EQ(C::count(), OperationCount{});
}

TEST(Counted, ProductOf3x3MatrixAndVectorTakes9MultiplicationsAnd6Additions) {
  const Mat3<C> m = Mat3<C>::identity();
  const Vec3<C> v{C(1.0), C(2.0), C(3.0)};
  C::reset();
  const Vec3<C> w = m * v;
  EXPECT_EQ(C::count(), (OperationCount{9, 6, 0, 0, 0}));
  EXPECT_EQ(w[2].value, 3);
}

TEST(Counted, EachThreadCountsForItself) {
  C::reset();
  std::thread([] {
    const C x = C(1.0) + C(1.0);
    EXPECT_EQ(C::count().additions, 1) << x.value;
  }).join();
  EXPECT_EQ(C::count(), OperationCount{});
}

}  // namespace
}  // namespace cardan

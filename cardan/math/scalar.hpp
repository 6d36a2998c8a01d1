// What an algorithm may ask of its number type. There is no comparison: a choice is written
// select_less(a, b, x, y), meaning a < b ? x : y, which every scalar can express in its own way
// (a branch, a blend of lanes, a node in an expression graph).
#pragma once

#include "cardan/math/inline.hpp"

#include <cmath>
#include <concepts>

namespace cardan {

template <class T>
concept RealNumber = std::same_as<T, float> || std::same_as<T, double>;

template <RealNumber T>
CARDAN_INLINE T select_less(T a, T b, T if_less, T otherwise) {
  return a < b ? if_less : otherwise;
}

using std::atan2;
using std::cos;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sqrt;

template <class T>
concept Scalar = std::constructible_from<T, double> && std::copyable<T> && requires(T a, T b) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  a += b;
  a -= b;
  { sin(a) } -> std::convertible_to<T>;
  { cos(a) } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { exp(a) } -> std::convertible_to<T>;
  { log(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  { pow(a, b) } -> std::convertible_to<T>;  // the exponent is a constant
  { select_less(a, b, a, b) } -> std::convertible_to<T>;
};

}  // namespace cardan

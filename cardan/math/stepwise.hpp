// Functions that are constant but for steps, on any scalar: lane by lane, and with derivatives that are zero.
#pragma once

#include "cardan/math/counted.hpp"
#include "cardan/math/dual.hpp"

namespace cardan {

template <RealNumber T, class Function>
T stepwise(T x, const Function& function) {
  return static_cast<T>(function(static_cast<double>(x)));
}
template <int N, class Function>
Dual<N> stepwise(const Dual<N>& x, const Function& function) {
  return Dual<N>(function(x.value));
}
template <class T, class Function>
Counted<T> stepwise(const Counted<T>& x, const Function& function) {
  return Counted<T>(function(static_cast<double>(x.value)));
}
template <class T, int N, class Function>
Pack<T, N> stepwise(const Pack<T, N>& x, const Function& function) {
  return detail::each_lane(x, [&](T lane) { return stepwise(lane, function); });
}

/// The number that a constant is, on any scalar.
template <RealNumber T>
double constant_of(T x) {
  return static_cast<double>(x);
}
template <int N>
double constant_of(const Dual<N>& x) {
  return x.value;
}
template <class T>
double constant_of(const Counted<T>& x) {
  return static_cast<double>(x.value);
}
template <class T, int N>
double constant_of(const Pack<T, N>& x) {
  return static_cast<double>(x.e[0]);
}

}  // namespace cardan

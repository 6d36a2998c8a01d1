// Written with the vector extensions of GCC and clang, which lower to whatever the machine has.
#include "cardan/math/sincos.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cardan {
namespace {

#if defined(__AVX2__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif
constexpr int kBlock = 8;  // angles in flight at a time, to hide the latency of the polynomials

typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));
typedef std::int64_t Bits __attribute__((vector_size(kLanes * sizeof(double))));

// Up to this angle the multiple of pi/2 has 16 bits, so that its products with 37-bit parts are exact.
constexpr double kLargest = 1e5;

CARDAN_INLINE Lanes load(const double* from) {
  Lanes v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

CARDAN_INLINE void store(double* to, const Lanes& v) { std::memcpy(to, &v, sizeof v); }

/// The first n < kLanes; the other lanes are zero when loaded and left alone when stored.
CARDAN_INLINE Lanes load_some(const double* from, int n) {
#if defined(__AVX2__)
  return _mm256_maskload_pd(from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)));
#else
  return Lanes{n > 0 ? from[0] : 0.0};
#endif
}

CARDAN_INLINE void store_some(double* to, int n, const Lanes& v) {
#if defined(__AVX2__)
  _mm256_maskstore_pd(to, _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3)), v);
#else
  if (n > 0) to[0] = v[0];
#endif
}

CARDAN_INLINE bool any(const Bits& mask) {
#if defined(__AVX2__)
  const __m256i m = reinterpret_cast<__m256i>(mask);
  return _mm256_testz_si256(m, m) == 0;
#else
  return (mask[0] | mask[1]) != 0;
#endif
}

/// All ones in the lanes that are too large, infinite or NaN.
CARDAN_INLINE Bits too_large(const Lanes& x) {
  const Lanes magnitude = Lanes(Bits(x) & std::int64_t{0x7fffffffffffffff});
  return ~Bits(magnitude <= kLargest);
}

CARDAN_INLINE void sincos_lanes(const Lanes& x, Lanes& s, Lanes& c) {
  // x = k pi/2 + r - lost; adding 1.5 * 2^52 rounds to a whole number and leaves k in the lowest bits
  constexpr double magic = 0x1.8p52;
  const Lanes shifted = x * 0x1.45f306dc9c883p-1 + magic;
  const Lanes k = shifted - magic;
  const Lanes w = k * 0x1.68c234c4cp-39;
  const Lanes r1 = x - k * 0x1.921fb5444p+0;
  const Lanes r = r1 - w;
  const Lanes lost = k * 0x1.98a2e03707345p-77 - ((r1 - r) - w);

  // fdlibm's polynomials on |r| <= pi/4; what the reduction lost enters to first order, subtracted to keep sin(-0) = -0
  const Lanes z = r * r;
  const Lanes sin_poly =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const Lanes cos_poly =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 +
                                                  z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  const Lanes half = 0.5 * z, one_less = 1.0 - half;
  const Lanes sine = r - (lost - (z * r) * sin_poly);
  const Lanes cosine = one_less + (((1.0 - one_less) - half) + ((z * z) * cos_poly + r * lost));

  // quadrant: odd swaps the two; the sign of the sine is bit 1, that of the cosine bit 1 xor bit 0
  const Bits quadrant = Bits(shifted);
  const Bits odd = quadrant << 63, sign = (quadrant << 62) & INT64_MIN;
  const Bits a = Bits(sine), b = Bits(cosine), swap = (a ^ b) & Bits(odd < 0);
  s = Lanes((a ^ swap) ^ sign);
  c = Lanes((b ^ swap) ^ (sign ^ odd));
}

/// Overwrites the results of the angles that the reduction does not cover.
[[gnu::noinline, gnu::cold]] void sincos_far(const double* angle, int n, double* s, double* c) {
  for (int i = 0; i < n; ++i) {
    if (std::abs(angle[i]) <= kLargest) continue;
    s[i] = std::sin(angle[i]);
    c[i] = std::cos(angle[i]);
  }
}

/// kLanes <= n <= kBlock angles; where n is not a multiple of kLanes, the last lanes overlap those before.
CARDAN_INLINE void sincos_block(const double* angle, int n, double* s, double* c) {
  constexpr int kVectors = kBlock / kLanes;
  Lanes x[kVectors], sine[kVectors], cosine[kVectors];
  Bits far{};
  for (int j = 0; j < kVectors; ++j) {
    x[j] = load(angle + std::min(j * kLanes, n - kLanes));
    far |= too_large(x[j]);
  }
  for (int j = 0; j < kVectors; ++j) sincos_lanes(x[j], sine[j], cosine[j]);
  for (int j = 0; j < kVectors; ++j) {
    const int at = std::min(j * kLanes, n - kLanes);
    store(s + at, sine[j]);
    store(c + at, cosine[j]);
  }
  if (any(far)) [[unlikely]]
    sincos_far(angle, n, s, c);
}

CARDAN_INLINE void sincos_few(const double* angle, int n, double* s, double* c) {
  const Lanes x = load_some(angle, n);
  Lanes sine, cosine;
  sincos_lanes(x, sine, cosine);
  store_some(s, n, sine);
  store_some(c, n, cosine);
  if (any(too_large(x))) [[unlikely]]
    sincos_far(angle, n, s, c);
}

/// Apart from sincos_all so that the short calls save no registers.
[[gnu::noinline]] void sincos_many(const double* angle, int n, double* s, double* c) {
  for (int i = 0; i < n; i += kBlock) {
    const int at = std::min(i, n - kBlock);
    sincos_block(angle + at, kBlock, s + at, c + at);
  }
}

}  // namespace

void sincos_all(const double* angle, int n, double* s, double* c) {
  if (n < kLanes)
    sincos_few(angle, n, s, c);
  else if (n < kBlock)
    sincos_block(angle, n, s, c);
  else
    sincos_many(angle, n, s, c);
}

}  // namespace cardan

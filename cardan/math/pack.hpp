// Several numbers side by side in one vector register, as a scalar: Pack<double, 8> runs an algorithm on eight
// states, or one loop of an algorithm on eight columns, at once.
#pragma once

#include "cardan/math/scalar.hpp"

#include <algorithm>
#include <cstring>

#if defined(__AVX__)
#include <immintrin.h>
#endif

// How wide packs of numbers are. The library's build says it to every program that uses it (CARDAN_REGISTER_BYTES in
// the target cardan::cardan), because the layout of a Workspace depends on it; the program may be compiled for another
// instruction set all the same.
#if !defined(CARDAN_REGISTER_BYTES)
#if defined(__AVX512F__)
#define CARDAN_REGISTER_BYTES 64
#elif defined(__AVX__)
#define CARDAN_REGISTER_BYTES 32
#else
#define CARDAN_REGISTER_BYTES 16
#endif
#endif

namespace cardan {

inline constexpr int kRegisterBytes = CARDAN_REGISTER_BYTES;

/// Defined in the library for its own register size alone: a program that assumes another does not link, and the
/// linker's message says why.
template <int register_bytes>
void library_was_built_with_another_CARDAN_REGISTER_BYTES();

namespace detail {
// written out because GCC mishandles vector_size with a dependent length
template <class T, int N>
struct VectorRegister;
template <>
struct VectorRegister<double, 2> {
  typedef double type __attribute__((vector_size(16)));
};
template <>
struct VectorRegister<double, 4> {
  typedef double type __attribute__((vector_size(32)));
};
template <>
struct VectorRegister<double, 8> {
  typedef double type __attribute__((vector_size(64)));
};
template <>
struct VectorRegister<float, 4> {
  typedef float type __attribute__((vector_size(16)));
};
template <>
struct VectorRegister<float, 8> {
  typedef float type __attribute__((vector_size(32)));
};
template <>
struct VectorRegister<float, 16> {
  typedef float type __attribute__((vector_size(64)));
};
}  // namespace detail

// Instruction sets differ in how a function takes and returns packs: by this name those compiled for one are kept apart
// from those compiled for another.
#if defined(__AVX512F__)
inline namespace for_avx512 {
#elif defined(__AVX__)
inline namespace for_avx {
#else
inline namespace for_sse {
#endif

template <class T, int N>
struct Pack {
  using Register = typename detail::VectorRegister<T, N>::type;
  static constexpr int lanes = N;
  Register e;

  CARDAN_INLINE Pack() : e{} {}
  CARDAN_INLINE explicit Pack(T x) : e(Register{} + x) {}
  CARDAN_INLINE explicit Pack(const Register& r) : e(r) {}

  static CARDAN_INLINE Pack load(const T* from) {
    Pack out;
    std::memcpy(&out.e, from, sizeof(Register));
    return out;
  }
  CARDAN_INLINE void store(T* to) const { std::memcpy(to, &e, sizeof(Register)); }
  CARDAN_INLINE T operator[](int lane) const { return e[lane]; }

  CARDAN_INLINE void operator+=(const Pack& o) { e = e + o.e; }
  CARDAN_INLINE void operator-=(const Pack& o) { e = e - o.e; }
  CARDAN_INLINE friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.e + b.e); }
  CARDAN_INLINE friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.e - b.e); }
  CARDAN_INLINE friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.e * b.e); }
  CARDAN_INLINE friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.e / b.e); }
  CARDAN_INLINE friend Pack operator-(const Pack& a) { return Pack(-a.e); }
};

}  // namespace of the instruction set

template <class T, int N>
CARDAN_INLINE T sum_of_lanes(const Pack<T, N>& a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(a) == 64 && sizeof(T) == sizeof(double)) return _mm512_reduce_add_pd(a.e);
#endif
  T sum = a.e[0];
  for (int i = 1; i < N; ++i) sum += a.e[i];
  return sum;
}

namespace detail {
template <class T, int N, class F>
CARDAN_INLINE Pack<T, N> each_lane(const Pack<T, N>& a, const F& f) {
  Pack<T, N> out;
  for (int i = 0; i < N; ++i) out.e[i] = f(a.e[i]);
  return out;
}
}  // namespace detail

template <class T, int N>
Pack<T, N> sin(const Pack<T, N>& a) {
  return detail::each_lane(a, [](T x) { return std::sin(x); });
}
template <class T, int N>
Pack<T, N> cos(const Pack<T, N>& a) {
  return detail::each_lane(a, [](T x) { return std::cos(x); });
}
template <class T, int N>
Pack<T, N> sqrt(const Pack<T, N>& a) {
  return detail::each_lane(a, [](T x) { return std::sqrt(x); });
}
template <class T, int N>
Pack<T, N> exp(const Pack<T, N>& a) {
  return detail::each_lane(a, [](T x) { return std::exp(x); });
}
template <class T, int N>
Pack<T, N> log(const Pack<T, N>& a) {
  return detail::each_lane(a, [](T x) { return std::log(x); });
}
template <class T, int N>
Pack<T, N> atan2(const Pack<T, N>& y, const Pack<T, N>& x) {
  Pack<T, N> out;
  for (int i = 0; i < N; ++i) out.e[i] = std::atan2(y.e[i], x.e[i]);
  return out;
}
template <class T, int N>
Pack<T, N> pow(const Pack<T, N>& a, const Pack<T, N>& b) {
  Pack<T, N> out;
  for (int i = 0; i < N; ++i) out.e[i] = std::pow(a.e[i], b.e[i]);
  return out;
}
template <class T, int N>
CARDAN_INLINE Pack<T, N> select_less(const Pack<T, N>& a, const Pack<T, N>& b, const Pack<T, N>& if_less,
                                     const Pack<T, N>& otherwise) {
  return Pack<T, N>(a.e < b.e ? if_less.e : otherwise.e);
}

#if CARDAN_REGISTER_BYTES == 64 && defined(__AVX512F__) || CARDAN_REGISTER_BYTES == 32 && defined(__AVX__)
inline constexpr bool kHasMaskedStore = true;
#else
inline constexpr bool kHasMaskedStore = false;
#endif

namespace detail {
/// Stores those of the lanes first to end - 1 that there are, without touching the memory of the others, which may not
/// be ours. Begins at lane 0 or ends with the last. A loop over the lanes would cost a mispredicted branch each call.
CARDAN_INLINE void masked_store([[maybe_unused]] const Pack<double, kRegisterBytes / 8>& value,
                                [[maybe_unused]] int first, [[maybe_unused]] int end, [[maybe_unused]] double* to) {
#if CARDAN_REGISTER_BYTES == 64 && defined(__AVX512F__)
  const int from = first < 0 ? 0 : first, until = end < 0 ? 0 : end;
  _mm512_mask_storeu_pd(to, static_cast<__mmask8>((0xff << from) & ~(0xff << until)), value.e);
#elif CARDAN_REGISTER_BYTES == 32 && defined(__AVX__)
  if (first <= 0 && end >= 4) return value.store(to);  // full packs are the most, and masked stores slow on AMD
  alignas(32) static constexpr long long kMasks[12] = {-1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1};
  const long long* mask = first > 0 ? kMasks + 8 - std::min(first, 4) : kMasks + 4 - std::max(end, 0);
  _mm256_maskstore_pd(to, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask)), value.e);
#endif
}
}  // namespace detail

/// How a loop over entries of type T is taken several entries at a time: packs for machine numbers, one by one for
/// every other scalar.
template <class T>
struct Lanes {
  using type = T;
  static constexpr int width = 1;
  static CARDAN_INLINE const T& load(const T* from) { return *from; }
  static CARDAN_INLINE void store(const T& value, T* to) { *to = value; }
  /// Stores the lanes from `first` on; `to` is where lane 0 would go.
  static CARDAN_INLINE void store_from(const T& value, int first, T* to) {
    if (first <= 0) *to = value;
  }
  /// Stores the lanes before `end`.
  static CARDAN_INLINE void store_until(const T& value, int end, T* to) {
    if (end > 0) *to = value;
  }
  /// `value` with one lane replaced; a lane out of range changes nothing.
  static CARDAN_INLINE T with(const T& value, int lane, const T& x) { return lane == 0 ? x : value; }
};
template <RealNumber T>
struct Lanes<T> {
  static constexpr int width = kRegisterBytes / static_cast<int>(sizeof(T));
  using type = Pack<T, width>;
  static CARDAN_INLINE type load(const T* from) { return type::load(from); }
  static CARDAN_INLINE void store(const type& value, T* to) { value.store(to); }
  static CARDAN_INLINE void store_from(const type& value, int first, T* to) {
    if constexpr (std::same_as<T, double> && kHasMaskedStore)
      detail::masked_store(value, first, width, to);
    else
      for (int i = std::max(first, 0); i < width; ++i) to[i] = value.e[i];
  }
  static CARDAN_INLINE void store_until(const type& value, int end, T* to) {
    if constexpr (std::same_as<T, double> && kHasMaskedStore)
      detail::masked_store(value, 0, end, to);
    else
      for (int i = 0; i < std::min(end, width); ++i) to[i] = value.e[i];
  }
  static CARDAN_INLINE type with(const type& value, int lane, T x) {
    typename type::Register number{};
    for (int i = 0; i < width; ++i) number[i] = static_cast<T>(i);
    return type(number == static_cast<T>(lane) + typename type::Register{} ? type(x).e : value.e);
  }
};

}  // namespace cardan

// Records of numbers, one after the other in memory, read and written as many at a time as a register has lanes:
// number r of every record in one register. Squares of a register's width are transposed in registers.
#pragma once

#include "cardan/math/pack.hpp"

#include <utility>

namespace cardan {

namespace detail {

/// Exchanges the odd runs of `step` lanes of a with the even ones of b.
template <int step, class T, int N, int... lane>
CARDAN_INLINE void exchange(Pack<T, N>& a, Pack<T, N>& b, std::integer_sequence<int, lane...>) {
  const auto low = __builtin_shufflevector(a.e, b.e, ((lane & step) != 0 ? N + lane - step : lane)...);
  const auto high = __builtin_shufflevector(a.e, b.e, ((lane & step) != 0 ? N + lane : lane + step)...);
  a = Pack<T, N>(low);
  b = Pack<T, N>(high);
}

template <int step, class T, int N>
CARDAN_INLINE void exchange_all(Pack<T, N>* square) {
  if constexpr (step < N) {
    for (int i = 0; i < N; ++i)
      if ((i & step) == 0) exchange<step>(square[i], square[i + step], std::make_integer_sequence<int, N>());
    exchange_all<2 * step>(square);
  }
}

template <class T, int N>
CARDAN_INLINE void transpose(Pack<T, N>* square) {
  exchange_all<1>(square);
}
template <class T>
CARDAN_INLINE void transpose(T*) {}

}  // namespace detail

/// Numbers that a record of n takes in memory: whole squares.
template <class T>
constexpr int record_size(int n) {
  return (n + Lanes<T>::width - 1) / Lanes<T>::width * Lanes<T>::width;
}

/// Reads n numbers of the records that begin at `record(lane)`; `out` has room for record_size<T>(n).
template <int n, class T, class Record>
CARDAN_INLINE void load_records(const Record& record, typename Lanes<T>::type* out) {
  constexpr int width = Lanes<T>::width;
  for (int first = 0; first < n; first += width) {
    for (int lane = 0; lane < width; ++lane) out[first + lane] = Lanes<T>::load(record(lane) + first);
    detail::transpose(out + first);
  }
}

/// Writes them; what `in` held is lost.
template <int n, class T, class Record>
CARDAN_INLINE void store_records(typename Lanes<T>::type* in, const Record& record) {
  constexpr int width = Lanes<T>::width;
  for (int first = 0; first < n; first += width) {
    detail::transpose(in + first);
    for (int lane = 0; lane < width; ++lane) Lanes<T>::store(in[first + lane], record(lane) + first);
  }
}

}  // namespace cardan

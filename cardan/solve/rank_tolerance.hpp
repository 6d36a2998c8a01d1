// The one answer to the question whether rows, or columns, repeat one another.
#pragma once

namespace cardan {

/// Rows whose singular values are smaller than this part of the largest are repetitions of others. Loops hold to about
/// 1e-12, so that rows which repeat one another differ by less; rows that differ by more act, however weakly.
inline constexpr double kRankTolerance = 1e-9;

}  // namespace cardan

// The one macro of the kernels: without forced inlining the small algebra costs 1.3x (clang) to 2.7x (gcc).
#pragma once

#if defined(__GNUC__) || defined(__clang__)
#define CARDAN_INLINE inline __attribute__((always_inline))
#define CARDAN_INLINE_LAMBDA __attribute__((always_inline))
#else
#define CARDAN_INLINE inline
#define CARDAN_INLINE_LAMBDA
#endif

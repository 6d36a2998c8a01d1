// The one macro of the kernels: without forced inlining the small algebra costs 1.3x (clang) to 2.7x (gcc). Not under
// sanitizers, whose checks in every copy would take many minutes to compile, and not where a source says that it does
// not pay (CARDAN_PLAIN_INLINE: a scalar whose operations are calls anyway).
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CARDAN_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define CARDAN_SANITIZED
#endif

#if (defined(__GNUC__) || defined(__clang__)) && !defined(CARDAN_SANITIZED) && !defined(CARDAN_PLAIN_INLINE)
#define CARDAN_INLINE inline __attribute__((always_inline))
#define CARDAN_INLINE_LAMBDA __attribute__((always_inline))
#else
#define CARDAN_INLINE inline
#define CARDAN_INLINE_LAMBDA
#endif

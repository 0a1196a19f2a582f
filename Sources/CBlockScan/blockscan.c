#include "blockscan.h"

#include <string.h>

// MARK: - The variants

// Each is `pass.h`, compiled over its own kind of block.

#define VARIANT(name) name##_plain
#include "block_plain.h"
#include "pass.h"
#undef VARIANT

#if defined(__SSE2__)
#define VARIANT(name) name##_baseline
#include "block_sse2.h"
#include "pass.h"
#undef VARIANT

// Every x86-64 server processor since 2015 has these; it is asked for them all the same, at each call, which costs a load.
// BMI counts here as much as AVX2: it isolates and clears the lowest bit in one instruction each.
#define HAS_FAST_VARIANT (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#define VARIANT(name) name##_avx2
#include "block_avx2.h"
#include "pass.h"
#undef VARIANT
#pragma clang attribute pop

#elif defined(__aarch64__)
#define VARIANT(name) name##_baseline
#include "block_neon.h"
#include "pass.h"
#undef VARIANT
#endif

// MARK: - The choice

blockscan_result blockscan_quotes_plain(const uint8_t *text, size_t count, uint32_t *quotes) {
    return pass_plain(text, count, quotes);
}

blockscan_result blockscan_quotes_baseline(const uint8_t *text, size_t count, uint32_t *quotes) {
#if defined(__SSE2__) || defined(__aarch64__)
    return pass_baseline(text, count, quotes);
#else
    return pass_plain(text, count, quotes);
#endif
}

int blockscan_has_fast_variant(void) {
#if defined(HAS_FAST_VARIANT)
    return HAS_FAST_VARIANT ? 1 : 0;
#else
    return 0;
#endif
}

blockscan_result blockscan_quotes(const uint8_t *text, size_t count, uint32_t *quotes) {
#if defined(HAS_FAST_VARIANT)
    if (HAS_FAST_VARIANT) return pass_avx2(text, count, quotes);
#endif
    return blockscan_quotes_baseline(text, count, quotes);
}

#include "blockscan.h"

#include <string.h>

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// Of no bits, any number will do, but the built-in function must not be asked.
#define TRAILING_ZEROS(bits) ((uint32_t)__builtin_ctzll((bits) | 1ull << 63))

// MARK: - The variants

// Each is `pass.h`, compiled over its own kind of block and check of UTF-8, `walk.h` and `count.h`.

#define VARIANT(name) name##_plain
#include "block_plain.h"
#include "utf8_masks.h"
#include "pass.h"
#include "walk.h"
#include "count.h"
#undef VARIANT

#if defined(__SSE2__)
#define VARIANT(name) name##_baseline
#include "block_sse2.h"
#include "utf8_masks.h"
#include "pass.h"
#include "walk.h"
#include "count.h"
#undef VARIANT

// Every x86-64 server processor since 2015 has these. BMI counts here as much as AVX2: it isolates and clears the lowest bit
// in one instruction each.
#define HAS_FAST_VARIANT (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#define VARIANT(name) name##_avx2
#undef TRAILING_ZEROS
#define TRAILING_ZEROS(bits) ((uint32_t)_tzcnt_u64(bits))
#include "block_avx2.h"
#include "utf8_avx2.h"
#include "pass.h"
#include "walk.h"
#include "count.h"
#undef VARIANT
#pragma clang attribute pop

#elif defined(__aarch64__)
#define VARIANT(name) name##_baseline
#include "block_neon.h"
#include "utf8_masks.h"
#include "pass.h"
#include "walk.h"
#include "count.h"
#undef VARIANT
#endif

// MARK: - The choice

blockscan_variant blockscan_best_variant(void) {
#if defined(HAS_FAST_VARIANT)
    if (HAS_FAST_VARIANT) return BLOCKSCAN_FAST;
#endif
    return BLOCKSCAN_BASELINE;
}

#if defined(HAS_FAST_VARIANT)
#define CALL_FAST(name, ...) if (variant == BLOCKSCAN_FAST) return name##_avx2(__VA_ARGS__)
#else
#define CALL_FAST(name, ...)
#endif
#if defined(__SSE2__) || defined(__aarch64__)
#define CALL_BASELINE(name, ...) if (variant != BLOCKSCAN_PLAIN) return name##_baseline(__VA_ARGS__)
#else
#define CALL_BASELINE(name, ...) (void)variant
#endif

blockscan_result blockscan_quotes(blockscan_variant variant, const uint8_t *text, size_t count, uint32_t *quotes) {
    CALL_FAST(pass, text, count, quotes);
    CALL_BASELINE(pass, text, count, quotes);
    return pass_plain(text, count, quotes);
}

// Not inlined into the choice, which would save registers for it.
static __attribute__((noinline)) blockscan_status scan_without_fast(blockscan_variant variant, blockscan_walk *walk) {
    CALL_BASELINE(scan, walk);
    return scan_plain(walk);
}

blockscan_status blockscan_scan(blockscan_variant variant, blockscan_walk *walk) {
    CALL_FAST(scan, walk);
    return scan_without_fast(variant, walk);
}

size_t blockscan_count(blockscan_variant variant, const uint8_t *text, size_t size, uint8_t byte) {
    CALL_FAST(count, text, size, byte);
    CALL_BASELINE(count, text, size, byte);
    return count_plain(text, size, byte);
}

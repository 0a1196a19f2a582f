// The first pass over a JSON text: one call finds every quote that no backslash escapes, and checks at the same time what
// holds for the text as a whole. Written in C because Swift 6 has no portable way to make 16 bits of a comparison of 16
// bytes; what Swift's own SIMD types make of it is slower than no SIMD at all.
#ifndef PUSHPIPE_CBLOCKSCAN_H
#define PUSHPIPE_CBLOCKSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the quotes of a text are.
typedef struct {
    // How many were found; at most as many as the text has bytes. Odd when a string does not end.
    uint32_t count;
    // Whether there is a backslash anywhere.
    uint8_t has_backslash;
    // Whether there is a byte below 0x20, or one that is not part of well-formed UTF-8. The pass may have ended there.
    uint8_t is_in_doubt;
} blockscan_result;

// Entries that a list needs beyond one for each byte: the pass writes eight at a time, and keeps the last ones it wrote
// only when they are quotes.
enum { BLOCKSCAN_SLACK = 64 };

// Writes the offset of every quote in `text` that has an even number of backslashes before it, in order, to `quotes`,
// which has room for `count` + BLOCKSCAN_SLACK offsets. Reads `count` bytes, fewer than 2^32, and nothing behind them.
blockscan_result blockscan_quotes(const uint8_t *text, size_t count, uint32_t *quotes);

// Whether the processor has the instructions of the fast variant, when there is one. For tests.
int blockscan_has_fast_variant(void);

// As `blockscan_quotes`, by the variant for every processor of this architecture, and by the one that uses none of its
// vector instructions. For tests.
blockscan_result blockscan_quotes_baseline(const uint8_t *text, size_t count, uint32_t *quotes);
blockscan_result blockscan_quotes_plain(const uint8_t *text, size_t count, uint32_t *quotes);

// MARK: - Short texts

// Inline, because most of these texts are shorter than what a call costs. Sixteen bytes at a time; a text's last ones together
// with those before them, which were seen already.

enum { BLOCKSCAN_COPY_SLACK = 16 };

#if defined(__SSE2__)
#include <emmintrin.h>

// The bytes at `p` that a JSON string must escape, one bit each: quote, backslash, and below the space.
static inline uint32_t blockscan_special16(__m128i x) {
    __m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(0x1F)), x);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
}

static inline bool blockscan_hexadecimal16(__m128i x) {
    __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
    __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit);
    __m128i is_letter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
    return _mm_movemask_epi8(_mm_or_si128(is_digit, is_letter)) == 0xFFFF;
}
#endif

// Copies the bytes of `text` up to the first that a JSON string must escape, and returns how many those are. Reads `count`
// bytes; `out` has room for as many and BLOCKSCAN_COPY_SLACK more, which may be written too.
static inline size_t blockscan_copy_plain(const uint8_t *text, size_t count, uint8_t *out) {
    size_t i = 0;
#if defined(__SSE2__)
    if (count >= 16) {
        // SOUND: sixteen bytes are left in each turn; the last turn moves back to where they are.
        for (;;) {
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
            _mm_storeu_si128((__m128i *)(void *)(out + i), x);
            uint32_t special = blockscan_special16(x);
            if (special) return i + (size_t)__builtin_ctz(special);
            i += 16;
            if (i == count) return count;
            if (count - i < 16) i = count - 16;
        }
    }
#endif
    for (; i < count; i++) {
        if (text[i] < ' ' || text[i] == '"' || text[i] == '\\') break;
        out[i] = text[i];
    }
    return i;
}

// Whether all bytes are hexadecimal digits, of either case.
static inline bool blockscan_is_hexadecimal(const uint8_t *text, size_t count) {
    size_t i = 0;
#if defined(__SSE2__)
    if (count >= 16) {
        // SOUND: as above.
        for (;;) {
            if (!blockscan_hexadecimal16(_mm_loadu_si128((const __m128i *)(const void *)(text + i)))) return false;
            i += 16;
            if (i == count) return true;
            if (count - i < 16) i = count - 16;
        }
    }
#endif
    for (; i < count; i++) {
        uint8_t letter = (uint8_t)((text[i] | 0x20) - 'a');
        if ((uint8_t)(text[i] - '0') > 9 && letter > 5) return false;
    }
    return true;
}

#endif

// Two passes over a JSON text. The first finds every quote that no backslash escapes, and checks what must hold for the text
// as a whole. The second walks from token to token and fills the tape.
//
// The first is written in C because Swift 6 has no portable way to make 16 bits of a comparison of 16 bytes; what Swift's own
// SIMD types make of it is slower than no SIMD at all. The second is compiled together with it, for the same processors.
#ifndef PUSHPIPE_CBLOCKSCAN_H
#define PUSHPIPE_CBLOCKSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// MARK: - The first pass

// Where the quotes of a text are.
typedef struct {
    // How many were found; at most as many as the text has bytes. Odd when a string does not end.
    uint32_t count;
    // Whether there is a backslash anywhere.
    uint8_t has_backslash;
    // Whether there is a byte below 0x20, or one that is not part of well-formed UTF-8. The pass may have ended there.
    uint8_t is_in_doubt;
} blockscan_result;

// Entries that a list needs beyond one for each byte: the pass writes four at a time, and keeps the last ones it wrote
// only when they are quotes.
enum { BLOCKSCAN_SLACK = 64 };

// The ways to scan: with instructions that not every processor has, with those of every processor of this architecture, and
// with no vector instructions, which only tests ask for by name.
typedef enum { BLOCKSCAN_PLAIN, BLOCKSCAN_BASELINE, BLOCKSCAN_FAST } blockscan_variant;

// The fastest variant that this processor can run.
blockscan_variant blockscan_best_variant(void);

// Writes the offset of every quote in `text` that has an even number of backslashes before it, in order, to `quotes`,
// which has room for `count` + BLOCKSCAN_SLACK offsets. Reads `count` bytes, fewer than 2^32, and nothing behind them.
blockscan_result blockscan_quotes(blockscan_variant variant, const uint8_t *text, size_t count, uint32_t *quotes);

// MARK: - The second pass

// An entry of the tape: the layout of Swift's `JSONTape.Entry`.
typedef struct {
    uint32_t offset, length, next;
    uint8_t kind, has_escapes;
    uint16_t unused;
} blockscan_entry;

// The kinds of an entry: the raw values of Swift's `JSONTape.Kind`.
enum {
    BLOCKSCAN_NULL, BLOCKSCAN_FALSE, BLOCKSCAN_TRUE, BLOCKSCAN_NUMBER, BLOCKSCAN_STRING, BLOCKSCAN_KEY, BLOCKSCAN_ARRAY,
    BLOCKSCAN_OBJECT
};

// An open array or object: the layout of Swift's `JSONScanner.Level`.
typedef struct {
    uint32_t entry, count;
    uint64_t names;
} blockscan_level;

// In objects with more members than this, duplicates are found by sorting when the object closes.
enum { BLOCKSCAN_SORTED_MEMBERS = 32 };

// The filter's bit for a member's name: names with different bits differ. Depends on the name alone, but reads the quotes
// around it when it has fewer than two bytes.
static inline uint64_t blockscan_name_bit(const uint8_t *name, uint32_t length) {
    uint16_t middle;
    memcpy(&middle, name + (length >> 1) - 1, sizeof middle);
    return 1ull << ((middle + length) * 0x9E3779B1u >> 26);
}

// Why a walk returned.
typedef enum {
    // The tape is complete.
    BLOCKSCAN_DONE,
    // Not JSON, or something that only the bytewise scanner handles.
    BLOCKSCAN_IN_DOUBT,
    // The innermost object has just closed, and may have a name twice. The caller finds out, and continues the walk.
    BLOCKSCAN_CHECK_MEMBERS
} blockscan_status;

// The two passes over a text. The caller sets the first group, and zeroes the rest.
typedef struct {
    const uint8_t *text;
    // At least 64. The last byte is `}` or `]`.
    size_t size;
    // Room for `size` + BLOCKSCAN_SLACK offsets.
    uint32_t *quotes;
    // Room for an entry for every two bytes, and for the open arrays and objects.
    blockscan_entry *entries;
    blockscan_level *levels;
    uint32_t maximum_depth;

    // How far the walk came. `inner` is the innermost open array or object; those around it are in `levels`.
    blockscan_status status;
    uint32_t count, depth;
    blockscan_level inner;
    size_t p;
    bool has_backslash;
    // The next one.
    size_t backslash;
} blockscan_walk;

// Fills the tape. To be called again after BLOCKSCAN_CHECK_MEMBERS.
blockscan_status blockscan_scan(blockscan_variant variant, blockscan_walk *walk);

// MARK: - Counting

// How many of the `size` bytes of `text` are `byte`. For texts of kilobytes: of a short one, a search for each is faster.
size_t blockscan_count(blockscan_variant variant, const uint8_t *text, size_t size, uint8_t byte);

// MARK: - Short texts

// Inline, because most of these texts are shorter than what a call costs. Sixteen bytes at a time; a text's last ones together
// with those before them, some of which were seen already.

enum { BLOCKSCAN_COPY_SLACK = 16 };

#if defined(__SSE2__)
#include <emmintrin.h>

// The bytes that a JSON string must escape, as 0xFF: quote, backslash, and below the space.
static inline __m128i blockscan_special(__m128i x) {
    __m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(0x1F)), x);
    return _mm_or_si128(control, _mm_or_si128(quote, backslash));
}

// Copies sixteen bytes, and returns those that must be escaped.
static inline __m128i blockscan_copy16(const uint8_t *text, uint8_t *out) {
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)text);
    _mm_storeu_si128((__m128i *)(void *)out, x);
    return blockscan_special(x);
}

// The same for eight bytes.
static inline __m128i blockscan_copy8(const uint8_t *text, uint8_t *out) {
    __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)text);
    _mm_storel_epi64((__m128i *)(void *)out, x);
    // The other eight bytes are zero.
    return _mm_move_epi64(blockscan_special(x));
}

// Zero for the bytes at `p` that are hexadecimal digits, and something else for the others.
static inline __m128i blockscan_no_hexadecimal16(const uint8_t *p) {
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
    __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    return _mm_min_epu8(_mm_subs_epu8(digit, _mm_set1_epi8(9)), _mm_subs_epu8(letter, _mm_set1_epi8(5)));
}
#endif

// Copies the bytes of `text` up to the first that a JSON string must escape, and returns how many those are. Reads `count`
// bytes; `out` has room for as many and BLOCKSCAN_COPY_SLACK more, which may be written too.
static inline size_t blockscan_copy_plain(const uint8_t *text, size_t count, uint8_t *out) {
    size_t i = 0;
#if defined(__SSE2__)
    // SOUND: as many bytes are left in each turn as are read, and the last ones at the end.
    if (count >= 8 && count < 16) {
        __m128i special = _mm_or_si128(blockscan_copy8(text, out), blockscan_copy8(text + count - 8, out + count - 8));
        if (_mm_movemask_epi8(special) == 0) return count;
    }
    for (; count - i > 16; i += 16) {
        uint32_t special = (uint32_t)_mm_movemask_epi8(blockscan_copy16(text + i, out + i));
        if (special) return i + (size_t)__builtin_ctz(special);
    }
    if (count >= 16) {
        i = count - 16;
        uint32_t special = (uint32_t)_mm_movemask_epi8(blockscan_copy16(text + i, out + i));
        return special ? i + (size_t)__builtin_ctz(special) : count;
    }
#endif
    for (; i < count; i++) {
        if (text[i] < ' ' || text[i] == '"' || text[i] == '\\') break;
        out[i] = text[i];
    }
    return i;
}

// What a text consists of.
typedef enum {
    // Something other than hexadecimal digits.
    BLOCKSCAN_NOT_HEXADECIMAL,
    // Hexadecimal digits, none of them a capital letter.
    BLOCKSCAN_HEXADECIMAL,
    // Hexadecimal digits, some of them capital letters.
    BLOCKSCAN_HEXADECIMAL_CAPITALS,
} blockscan_digits;

// Whether all bytes are hexadecimal digits, and in which case. Without bytes, they are.
static inline blockscan_digits blockscan_hexadecimal(const uint8_t *text, size_t count) {
    size_t i = 0;
    // Of the bytes of hexadecimal digits, only those of capital letters lack this bit.
    uint8_t small = 0x20;
#if defined(__SSE2__)
    if (count >= 16) {
        // SOUND: sixteen bytes are left in each turn, and the last ones at the end.
        __m128i common = _mm_loadu_si128((const __m128i *)(text + count - 16));
        __m128i others = blockscan_no_hexadecimal16(text + count - 16);
        for (; count - i > 16; i += 16) {
            others = _mm_or_si128(others, blockscan_no_hexadecimal16(text + i));
            common = _mm_and_si128(common, _mm_loadu_si128((const __m128i *)(text + i)));
        }
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(others, _mm_setzero_si128())) != 0xFFFF) return BLOCKSCAN_NOT_HEXADECIMAL;
        // The bit is moved to the top of its byte.
        common = _mm_slli_epi16(common, 2);
        return _mm_movemask_epi8(common) == 0xFFFF ? BLOCKSCAN_HEXADECIMAL : BLOCKSCAN_HEXADECIMAL_CAPITALS;
    }
#endif
    for (; i < count; i++) {
        uint8_t letter = (uint8_t)((text[i] | 0x20) - 'a');
        if ((uint8_t)(text[i] - '0') > 9 && letter > 5) return BLOCKSCAN_NOT_HEXADECIMAL;
        small &= text[i];
    }
    return small ? BLOCKSCAN_HEXADECIMAL : BLOCKSCAN_HEXADECIMAL_CAPITALS;
}

// Whether there is no space, no control character and no DEL among the bytes. Without bytes, there is none.
static inline bool blockscan_is_unspaced(const uint8_t *text, size_t count) {
    size_t i = 0;
#if defined(__SSE2__)
    if (count >= 16) {
        // SOUND: sixteen bytes are left in each turn, and the last ones at the end.
        const __m128i space = _mm_set1_epi8(' '), del = _mm_set1_epi8(0x7F);
        __m128i found = _mm_setzero_si128();
        for (;; i += 16) {
            if (count - i < 16) i = count - 16;
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
            found = _mm_or_si128(found, _mm_cmpeq_epi8(_mm_min_epu8(x, space), x));
            found = _mm_or_si128(found, _mm_cmpeq_epi8(x, del));
            if (i == count - 16) return _mm_movemask_epi8(found) == 0;
        }
    }
#endif
    for (; i < count; i++) {
        if (text[i] <= ' ' || text[i] == 0x7F) return false;
    }
    return true;
}

enum { BLOCKSCAN_UUID_LENGTH = 36 };

// Whether BLOCKSCAN_UUID_LENGTH bytes are a UUID, 8-4-4-4-12 digits, and in which case its digits are.
static inline blockscan_digits blockscan_uuid(const uint8_t *text) {
    // The places of the hyphens.
    const uint64_t hyphens = 1ull << 8 | 1ull << 13 | 1ull << 18 | 1ull << 23;
    uint64_t digits = 0, found = 0, small = 0;
#if defined(__SSE2__)
    for (size_t i = 0; i < BLOCKSCAN_UUID_LENGTH; i += i == 16 ? 4 : 16) {
        // SOUND: sixteen bytes from 0, 16 and 20.
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
        __m128i others = blockscan_no_hexadecimal16(text + i);
        digits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(others, _mm_setzero_si128())) << i;
        found |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('-'))) << i;
        // The bit that only capital letters lack is moved to the top of its byte.
        small |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(x, 2)) << i;
    }
#else
    for (size_t i = 0; i < BLOCKSCAN_UUID_LENGTH; i++) {
        digits |= (uint64_t)(blockscan_hexadecimal(text + i, 1) != BLOCKSCAN_NOT_HEXADECIMAL) << i;
        found |= (uint64_t)(text[i] == '-') << i;
        small |= (uint64_t)(text[i] >> 5 & 1) << i;
    }
#endif
    const uint64_t all = (1ull << BLOCKSCAN_UUID_LENGTH) - 1;
    if (found != hyphens || digits != (all ^ hyphens)) return BLOCKSCAN_NOT_HEXADECIMAL;
    return small == all ? BLOCKSCAN_HEXADECIMAL : BLOCKSCAN_HEXADECIMAL_CAPITALS;
}

#endif

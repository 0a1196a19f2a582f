// A block of 64 bytes in four SSE2 registers, which every x86-64 processor has. No guard: see `blockscan.c`.

#include <emmintrin.h>

typedef struct {
    __m128i a, b, c, d;
} VARIANT(block);

// SOUND: the caller has 64 bytes at `p`; these loads ask for no alignment.
static inline VARIANT(block) VARIANT(load)(const uint8_t *p) {
    const __m128i *from = (const void *)p;
    return (VARIANT(block)){_mm_loadu_si128(from), _mm_loadu_si128(from + 1), _mm_loadu_si128(from + 2),
                            _mm_loadu_si128(from + 3)};
}

// Bit i is the top bit of byte i. The empty assembler statement keeps the optimiser from turning the shifts below back into
// vector arithmetic, which made a thousand instructions of the check of UTF-8.
static inline uint64_t VARIANT(bits)(__m128i a, __m128i b, __m128i c, __m128i d) {
    uint64_t low = (uint32_t)_mm_movemask_epi8(a) | (uint32_t)_mm_movemask_epi8(b) << 16;
    uint64_t high = (uint32_t)_mm_movemask_epi8(c) | (uint32_t)_mm_movemask_epi8(d) << 16;
    uint64_t mask = low | high << 32;
    __asm__("" : "+r"(mask));
    return mask;
}

// The bytes equal to `byte`.
static inline uint64_t VARIANT(equal)(VARIANT(block) x, uint8_t byte) {
    __m128i all = _mm_set1_epi8((char)byte);
    return VARIANT(bits)(_mm_cmpeq_epi8(x.a, all), _mm_cmpeq_epi8(x.b, all), _mm_cmpeq_epi8(x.c, all),
                         _mm_cmpeq_epi8(x.d, all));
}

// The bytes that are `byte` or more.
static inline uint64_t VARIANT(at_least)(VARIANT(block) x, uint8_t byte) {
    __m128i all = _mm_set1_epi8((char)byte);
    return VARIANT(bits)(_mm_cmpeq_epi8(_mm_max_epu8(x.a, all), x.a), _mm_cmpeq_epi8(_mm_max_epu8(x.b, all), x.b),
                         _mm_cmpeq_epi8(_mm_max_epu8(x.c, all), x.c), _mm_cmpeq_epi8(_mm_max_epu8(x.d, all), x.d));
}

// The bytes that are not ASCII.
static inline uint64_t VARIANT(not_ascii)(VARIANT(block) x) { return VARIANT(bits)(x.a, x.b, x.c, x.d); }

// Whether all bytes are ASCII from the space on, and none is a backslash. The comparison has a sign, so what is not ASCII
// is below the space.
static inline int VARIANT(is_usual)(VARIANT(block) x) {
    __m128i space = _mm_set1_epi8(' ');
    __m128i backslash = _mm_set1_epi8('\\');
    __m128i ab = _mm_or_si128(_mm_cmpgt_epi8(space, x.a), _mm_cmpgt_epi8(space, x.b));
    __m128i cd = _mm_or_si128(_mm_cmpgt_epi8(space, x.c), _mm_cmpgt_epi8(space, x.d));
    ab = _mm_or_si128(ab, _mm_or_si128(_mm_cmpeq_epi8(x.a, backslash), _mm_cmpeq_epi8(x.b, backslash)));
    cd = _mm_or_si128(cd, _mm_or_si128(_mm_cmpeq_epi8(x.c, backslash), _mm_cmpeq_epi8(x.d, backslash)));
    return _mm_movemask_epi8(_mm_or_si128(ab, cd)) == 0;
}

// A block of 64 bytes in two AVX2 registers. No guard: see `blockscan.c`, which also says when this is called.

#include <immintrin.h>

typedef struct {
    __m256i a, b;
} VARIANT(block);

// SOUND: the caller has 64 bytes at `p`; these loads ask for no alignment.
static inline VARIANT(block) VARIANT(load)(const uint8_t *p) {
    const __m256i *from = (const void *)p;
    return (VARIANT(block)){_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1)};
}

// Bit i is the top bit of byte i. The empty assembler statement is explained in `block_sse2.h`.
static inline uint64_t VARIANT(bits)(__m256i a, __m256i b) {
    uint64_t mask = (uint32_t)_mm256_movemask_epi8(a) | (uint64_t)(uint32_t)_mm256_movemask_epi8(b) << 32;
    __asm__("" : "+r"(mask));
    return mask;
}

// The bytes equal to `byte`.
static inline uint64_t VARIANT(equal)(VARIANT(block) x, uint8_t byte) {
    __m256i all = _mm256_set1_epi8((char)byte);
    return VARIANT(bits)(_mm256_cmpeq_epi8(x.a, all), _mm256_cmpeq_epi8(x.b, all));
}

// The bytes that are `byte` or more.
static inline uint64_t VARIANT(at_least)(VARIANT(block) x, uint8_t byte) {
    __m256i all = _mm256_set1_epi8((char)byte);
    return VARIANT(bits)(_mm256_cmpeq_epi8(_mm256_max_epu8(x.a, all), x.a),
                         _mm256_cmpeq_epi8(_mm256_max_epu8(x.b, all), x.b));
}

// The bytes that are not ASCII.
static inline uint64_t VARIANT(not_ascii)(VARIANT(block) x) { return VARIANT(bits)(x.a, x.b); }

// Whether all bytes are ASCII from the space on, and none is a backslash. The comparison has a sign, so what is not ASCII
// is below the space.
static inline int VARIANT(is_usual)(VARIANT(block) x) {
    __m256i space = _mm256_set1_epi8(' ');
    __m256i backslash = _mm256_set1_epi8('\\');
    __m256i below = _mm256_or_si256(_mm256_cmpgt_epi8(space, x.a), _mm256_cmpgt_epi8(space, x.b));
    __m256i equal = _mm256_or_si256(_mm256_cmpeq_epi8(x.a, backslash), _mm256_cmpeq_epi8(x.b, backslash));
    return _mm256_movemask_epi8(_mm256_or_si256(below, equal)) == 0;
}

// The check of UTF-8 by tables: each pair of bytes is looked up by the halves of the first and the upper half of the second. A mistake is
// in all three tables. John Keiser, Daniel Lemire: "Validating UTF-8 in less than one instruction per byte", 2020. No guard:
// see `blockscan.c`, which also says when this is called.

enum {
    // A first byte without a continuation, and a continuation after ASCII.
    UTF8_TOO_SHORT = 1 << 0, UTF8_TOO_LONG = 1 << 1,
    UTF8_OVERLONG_3 = 1 << 2, UTF8_TOO_LARGE = 1 << 3, UTF8_SURROGATE = 1 << 4, UTF8_OVERLONG_2 = 1 << 5,
    // Not in the same pairs.
    UTF8_TOO_LARGE_1000 = 1 << 6, UTF8_OVERLONG_4 = 1 << 6,
    // A continuation after another, which is a mistake unless a sequence of three or four asks for it.
    UTF8_TWO_CONTINUATIONS = 1 << 7,
    // What the lower half of the first byte says nothing about.
    UTF8_ANY = UTF8_TOO_SHORT | UTF8_TOO_LONG | UTF8_TWO_CONTINUATIONS,
    UTF8_ANY_LARGE = UTF8_ANY | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000
};

// The last bytes of the last block that was not ASCII, if a sequence goes on behind them.
typedef struct {
    __m256i last;
} VARIANT(utf8);

// The mistakes of 32 bytes that follow others.
static inline __m256i VARIANT(utf8_mistakes)(__m256i before, __m256i x) {
    const __m256i half = _mm256_set1_epi8(0x0F);
    const __m256i first_upper = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG, UTF8_TOO_LONG,
        (char)UTF8_TWO_CONTINUATIONS, (char)UTF8_TWO_CONTINUATIONS, (char)UTF8_TWO_CONTINUATIONS, (char)UTF8_TWO_CONTINUATIONS,
        UTF8_TOO_SHORT | UTF8_OVERLONG_2, UTF8_TOO_SHORT, UTF8_TOO_SHORT | UTF8_OVERLONG_3 | UTF8_SURROGATE,
        UTF8_TOO_SHORT | UTF8_TOO_LARGE | UTF8_TOO_LARGE_1000 | UTF8_OVERLONG_4));
    const __m256i first_lower = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        (char)(UTF8_ANY | UTF8_OVERLONG_2 | UTF8_OVERLONG_3 | UTF8_OVERLONG_4), (char)(UTF8_ANY | UTF8_OVERLONG_2), (char)UTF8_ANY,
        (char)UTF8_ANY, (char)(UTF8_ANY | UTF8_TOO_LARGE), (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE,
        (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE,
        (char)(UTF8_ANY_LARGE | UTF8_SURROGATE), (char)UTF8_ANY_LARGE, (char)UTF8_ANY_LARGE));
    enum { CONTINUATION = UTF8_TOO_LONG | UTF8_OVERLONG_2 | UTF8_TWO_CONTINUATIONS };
    const __m256i second_upper = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT,
        UTF8_TOO_SHORT, (char)(CONTINUATION | UTF8_OVERLONG_3 | UTF8_TOO_LARGE_1000 | UTF8_OVERLONG_4),
        (char)(CONTINUATION | UTF8_OVERLONG_3 | UTF8_TOO_LARGE), (char)(CONTINUATION | UTF8_SURROGATE | UTF8_TOO_LARGE),
        (char)(CONTINUATION | UTF8_SURROGATE | UTF8_TOO_LARGE), UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT, UTF8_TOO_SHORT));

    const __m256i middle = _mm256_permute2x128_si256(before, x, 0x21);
    const __m256i one = _mm256_alignr_epi8(x, middle, 15);
    __m256i mistakes = _mm256_shuffle_epi8(first_upper, _mm256_and_si256(_mm256_srli_epi16(one, 4), half));
    mistakes = _mm256_and_si256(mistakes, _mm256_shuffle_epi8(first_lower, _mm256_and_si256(one, half)));
    mistakes = _mm256_and_si256(
        mistakes, _mm256_shuffle_epi8(second_upper, _mm256_and_si256(_mm256_srli_epi16(x, 4), half)));
    // The bytes that must be a second or third continuation, in their top bit.
    const __m256i third = _mm256_subs_epu8(_mm256_alignr_epi8(x, middle, 14), _mm256_set1_epi8(0xE0 - 0x80));
    const __m256i fourth = _mm256_subs_epu8(_mm256_alignr_epi8(x, middle, 13), _mm256_set1_epi8((char)(0xF0 - 0x80)));
    const __m256i asked = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(asked, mistakes);
}

// Not zero when a block breaks Unicode's table 3-7.
static inline uint64_t VARIANT(utf8_faults)(
    VARIANT(block) x, uint64_t high, uint64_t *goes_on, VARIANT(utf8) *state) {
    (void)high;
    const __m256i before = *goes_on ? state->last : _mm256_setzero_si256();
    const __m256i mistakes = _mm256_or_si256(VARIANT(utf8_mistakes)(before, x.a), VARIANT(utf8_mistakes)(x.a, x.b));
    // Of the last three bytes, the first ones of sequences that are longer than what is left.
    const uint32_t tail = (uint32_t)_mm256_extract_epi32(x.b, 7);
    *goes_on = tail >= 0xC0000000u || (tail >> 16 & 0xFF) >= 0xE0 || (tail >> 8 & 0xFF) >= 0xF0;
    state->last = x.b;
    return !_mm256_testz_si256(mistakes, mistakes);
}

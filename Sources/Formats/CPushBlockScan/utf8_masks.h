// The check of UTF-8 by masks, for any kind of block. No guard: `blockscan.c` includes this once a variant.

// The first bytes of sequences of at least two, three and four, and the ones after which not every continuation may follow, in the last
// block that was not ASCII.
typedef struct {
    uint64_t two, three, four, e0, ed, f0, f4;
} VARIANT(utf8);

// The mask as it looks from `distance` bytes behind: the places where a byte of the mask was `distance` bytes ago.
#define BEHIND(mask, before, distance) ((mask) << (distance) | (before) >> (64 - (distance)))

// The second bytes that do not go with their first one: overlong forms, surrogates, scalars above U+10FFFF.
static inline uint64_t VARIANT(narrow_faults)(VARIANT(block) x, uint64_t four, VARIANT(utf8) *state) {
    uint64_t e0 = VARIANT(equal)(x, 0xE0), ed = VARIANT(equal)(x, 0xED), f0 = 0, f4 = 0, faults = 0;
    if (four) {
        f0 = VARIANT(equal)(x, 0xF0);
        f4 = VARIANT(equal)(x, 0xF4);
        faults = VARIANT(at_least)(x, 0xF5);
    }
    if (e0 | ed | f0 | f4 | state->e0 | state->ed | state->f0 | state->f4) {
        uint64_t from_a0 = VARIANT(at_least)(x, 0xA0), from_90 = VARIANT(at_least)(x, 0x90);
        faults |= BEHIND(e0, state->e0, 1) & ~from_a0;
        faults |= BEHIND(ed, state->ed, 1) & from_a0;
        faults |= BEHIND(f0, state->f0, 1) & ~from_90;
        faults |= BEHIND(f4, state->f4, 1) & from_90;
    }
    state->e0 = e0, state->ed = ed, state->f0 = f0, state->f4 = f4;
    return faults;
}

// Not zero when a block breaks Unicode's table 3-7. `high` are the bytes that are not ASCII.
static inline uint64_t VARIANT(utf8_faults)(
    VARIANT(block) x, uint64_t high, uint64_t *goes_on, VARIANT(utf8) *state) {
    uint64_t continuation = high & ~VARIANT(at_least)(x, 0xC0);
    uint64_t two = VARIANT(at_least)(x, 0xC2), three = VARIANT(at_least)(x, 0xE0), four = 0;
    // What is neither is 0xC0 or 0xC1.
    uint64_t faults = high ^ (two | continuation);
    if (three | state->e0 | state->ed | state->f0 | state->f4) {
        four = VARIANT(at_least)(x, 0xF0);
        faults |= VARIANT(narrow_faults)(x, four, state);
    }
    // A continuation must stand exactly where a first byte asks for one, so no first byte can stand there either.
    faults |= continuation
              ^ (BEHIND(two, state->two, 1) | BEHIND(three, state->three, 2) | BEHIND(four, state->four, 3));
    state->two = two, state->three = three, state->four = four;
    *goes_on = two >> 63 | three >> 62 | four >> 61;
    return faults;
}

#undef BEHIND

// The pass over a text, block by block, for whatever a block is. No guard: `blockscan.c` includes this once a variant.

// What one block leaves to the next.
typedef struct {
    // 1 when the last byte was a backslash that escapes the next one.
    uint64_t escapes_next;
    // The first bytes of sequences of at least two, three and four, and the ones after which not every continuation may follow.
    uint64_t two, three, four, e0, ed, f0, f4;
    // Not zero when the last sequence goes on in the next block.
    uint64_t goes_on;
    int has_backslash;
    // Not zero once something was found that the bytewise scanner has to name.
    uint64_t faults;
} VARIANT(state);

// The mask as it looks from `distance` bytes behind: the places where a byte of the mask was `distance` bytes ago.
#define BEHIND(mask, before, distance) ((mask) << (distance) | (before) >> (64 - (distance)))

// The bytes that a backslash escapes. A run of backslashes escapes what follows it when its length is odd; whether it is, the
// sum of the run and its first bit tells: the carry comes out at an even or an odd place. (simdjson's way, in our words.)
static inline uint64_t VARIANT(escaped)(uint64_t backslashes, VARIANT(state) *state) {
    const uint64_t even = 0x5555555555555555u;
    backslashes &= ~state->escapes_next;
    uint64_t follows = backslashes << 1 | state->escapes_next;
    uint64_t odd_starts = backslashes & ~even & ~follows;
    uint64_t sum = odd_starts + backslashes;
    state->escapes_next = sum < backslashes;
    return (even ^ sum << 1) & follows;
}

// The second bytes that do not go with their first one: overlong forms, surrogates, scalars above U+10FFFF.
static inline uint64_t VARIANT(narrow_faults)(VARIANT(block) x, uint64_t four, VARIANT(state) *state) {
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

// Where a block breaks Unicode's table 3-7. `high` are the bytes that are not ASCII.
static inline uint64_t VARIANT(utf8_faults)(VARIANT(block) x, uint64_t high, VARIANT(state) *state) {
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
    state->goes_on = two >> 63 | three >> 62 | four >> 61;
    return faults;
}

// The quotes of a block that has a backslash, a control character or a byte that is not ASCII, or follows one that matters.
static __attribute__((noinline)) uint64_t VARIANT(unusual_quotes)(
    const uint8_t *p, uint64_t quotes, VARIANT(state) *state) {
    VARIANT(block) x = VARIANT(load)(p);
    state->faults |= ~VARIANT(at_least)(x, ' ');
    uint64_t backslashes = VARIANT(equal)(x, '\\');
    if (backslashes | state->escapes_next) {
        quotes &= ~VARIANT(escaped)(backslashes, state);
        state->has_backslash = 1;
    }
    uint64_t high = VARIANT(at_least)(x, 0x80);
    if (high | state->goes_on) state->faults |= VARIANT(utf8_faults)(x, high, state);
    return quotes;
}

static inline uint64_t VARIANT(quotes)(const uint8_t *p, VARIANT(state) *state) {
    VARIANT(block) x = VARIANT(load)(p);
    uint64_t quotes = VARIANT(equal)(x, '"');
    if (VARIANT(is_usual)(x) && !(state->escapes_next | state->goes_on)) return quotes;
    return VARIANT(unusual_quotes)(p, quotes, state);
}

// The quotes of the bytes from `offset` on, fewer than a block.
static inline uint64_t VARIANT(last_quotes)(const uint8_t *text, size_t count, size_t offset, VARIANT(state) *state) {
    if (count >= 64) {
        // SOUND: the last 64 bytes of a text that has as many. Some of them were seen before, and are shifted out.
        VARIANT(block) x = VARIANT(load)(text + count - 64);
        if (VARIANT(is_usual)(x) && !(state->escapes_next | state->goes_on)) {
            return VARIANT(equal)(x, '"') >> (64 - (count - offset));
        }
    }
    uint8_t rest[64];
    memset(rest, ' ', sizeof rest);
    // SOUND: fewer than 64 bytes are left.
    memcpy(rest, text + offset, count - offset);
    return VARIANT(quotes)(rest, state);
}

// Writes the places of the bits, and returns how many there are.
//
// Four at a time, whether there are as many or not: a loop that ended after the last one would be predicted wrongly in most
// blocks. What is written in vain, BLOCKSCAN_SLACK has room for.
static inline uint32_t VARIANT(list)(uint64_t bits, uint32_t offset, uint32_t *out) {
    uint32_t count = (uint32_t)__builtin_popcountll(bits);
    for (uint32_t written = 0; written < count; written += 4) {
        for (uint32_t i = written; i < written + 4; i++) {
            ((volatile uint32_t *)out)[i] = offset + TRAILING_ZEROS(bits);
            bits &= bits - 1;
        }
    }
    return count;
}

static blockscan_result VARIANT(pass)(const uint8_t *text, size_t count, uint32_t *quotes) {
    VARIANT(state) state = {0};
    uint32_t found = 0;
    size_t offset = 0;
    // SOUND: a whole block is read only where a whole block is left.
    for (; count - offset >= 64; offset += 64) {
        uint64_t bits = VARIANT(quotes)(text + offset, &state);
        if (__builtin_expect(state.faults != 0, 0)) break;
        found += VARIANT(list)(bits, (uint32_t)offset, quotes + found);
    }
    if (!state.faults && offset < count) {
        uint64_t bits = VARIANT(last_quotes)(text, count, offset, &state);
        found += VARIANT(list)(bits, (uint32_t)offset, quotes + found);
    }
    return (blockscan_result){found, (uint8_t)state.has_backslash, (state.faults | state.goes_on) != 0};
}

#undef BEHIND

// The pass over a text, block by block, for whatever a block is. No guard: `blockscan.c` includes this once a variant.

// What one block leaves to the next.
typedef struct {
    // 1 when the last byte was a backslash that escapes the next one.
    uint64_t escapes_next;
    // Not zero when the last sequence goes on in the next block.
    uint64_t goes_on;
    // What the check of UTF-8 keeps.
    VARIANT(utf8) utf8;
    int has_backslash;
    // Not zero once something was found that the bytewise scanner has to name.
    uint64_t faults;
} VARIANT(state);

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
    uint64_t high = VARIANT(not_ascii)(x);
    if (high | state->goes_on) state->faults |= VARIANT(utf8_faults)(x, high, &state->goes_on, &state->utf8);
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

// Writes the places of the bits, and returns where the next one goes.
//
// Four at a time, whether there are as many or not: a loop that ended after the last one would be predicted wrongly in most
// blocks. What is written in vain, BLOCKSCAN_SLACK has room for.
static inline uint32_t *VARIANT(list)(uint64_t bits, uint32_t offset, uint32_t *out) {
    uint32_t *const end = out + __builtin_popcountll(bits);
    for (; out < end; out += 4) {
        for (int i = 0; i < 4; i++) {
            ((volatile uint32_t *)out)[i] = offset + TRAILING_ZEROS(bits);
            bits &= bits - 1;
        }
    }
    return end;
}

static blockscan_result VARIANT(pass)(const uint8_t *text, size_t count, uint32_t *quotes) {
    VARIANT(state) state = {0};
    uint32_t *out = quotes;
    size_t offset = 0;
    // SOUND: a whole block is read only where a whole block is left.
    for (; count - offset >= 64; offset += 64) {
        uint64_t bits = VARIANT(quotes)(text + offset, &state);
        if (__builtin_expect(state.faults != 0, 0)) break;
        out = VARIANT(list)(bits, (uint32_t)offset, out);
    }
    if (!state.faults && offset < count) {
        uint64_t bits = VARIANT(last_quotes)(text, count, offset, &state);
        out = VARIANT(list)(bits, (uint32_t)offset, out);
    }
    const uint32_t found = (uint32_t)(out - quotes);
    return (blockscan_result){found, (uint8_t)state.has_backslash, (state.faults | state.goes_on) != 0};
}

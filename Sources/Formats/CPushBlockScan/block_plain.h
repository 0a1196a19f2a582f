// A block of 64 bytes for processors without SSE2 or NEON: as correct as the others, and slower. No guard: see `blockscan.c`.

typedef struct {
    uint8_t bytes[64];
} VARIANT(block);

// SOUND: the caller has 64 bytes at `p`.
static inline VARIANT(block) VARIANT(load)(const uint8_t *p) {
    VARIANT(block) x;
    memcpy(x.bytes, p, 64);
    return x;
}

// The bytes equal to `byte`.
static inline uint64_t VARIANT(equal)(VARIANT(block) x, uint8_t byte) {
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(x.bytes[i] == byte) << i;
    return mask;
}

// The bytes that are `byte` or more.
static inline uint64_t VARIANT(at_least)(VARIANT(block) x, uint8_t byte) {
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(x.bytes[i] >= byte) << i;
    return mask;
}

// The bytes that are not ASCII.
static inline uint64_t VARIANT(not_ascii)(VARIANT(block) x) { return VARIANT(at_least)(x, 0x80); }

// Whether all bytes are ASCII from the space on, and none is a backslash.
static inline int VARIANT(is_usual)(VARIANT(block) x) {
    int unusual = 0;
    for (int i = 0; i < 64; i++) unusual |= x.bytes[i] < ' ' || x.bytes[i] >= 0x80 || x.bytes[i] == '\\';
    return !unusual;
}

// A block of 64 bytes in four NEON registers, which every arm64 processor has. No guard: see `blockscan.c`.

#include <arm_neon.h>

typedef uint8x16x4_t VARIANT(block);

// SOUND: the caller has 64 bytes at `p`; this load asks for no alignment.
static inline VARIANT(block) VARIANT(load)(const uint8_t *p) {
    return (VARIANT(block)){{vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48)}};
}

// Bit i says whether byte i is 0xFF; each byte is either that or 0. NEON has no instruction that gathers bits, so each byte
// keeps the one bit of its place in a group of eight, and adding neighbours three times packs eight bytes into one.
static inline uint64_t VARIANT(bits)(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
    const uint8x16_t place = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, place), vandq_u8(b, place));
    uint8x16_t cd = vpaddq_u8(vandq_u8(c, place), vandq_u8(d, place));
    uint8x16_t sum = vpaddq_u8(ab, cd);
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

// The bytes equal to `byte`.
static inline uint64_t VARIANT(equal)(VARIANT(block) x, uint8_t byte) {
    uint8x16_t all = vdupq_n_u8(byte);
    return VARIANT(bits)(vceqq_u8(x.val[0], all), vceqq_u8(x.val[1], all), vceqq_u8(x.val[2], all),
                         vceqq_u8(x.val[3], all));
}

// The bytes that are `byte` or more.
static inline uint64_t VARIANT(at_least)(VARIANT(block) x, uint8_t byte) {
    uint8x16_t all = vdupq_n_u8(byte);
    return VARIANT(bits)(vcgeq_u8(x.val[0], all), vcgeq_u8(x.val[1], all), vcgeq_u8(x.val[2], all),
                         vcgeq_u8(x.val[3], all));
}

// The bytes that are not ASCII.
static inline uint64_t VARIANT(not_ascii)(VARIANT(block) x) { return VARIANT(at_least)(x, 0x80); }

// Whether all bytes are ASCII from the space on, and none is a backslash.
static inline int VARIANT(is_usual)(VARIANT(block) x) {
    uint8x16_t least = vminq_u8(vminq_u8(x.val[0], x.val[1]), vminq_u8(x.val[2], x.val[3]));
    uint8x16_t most = vmaxq_u8(vmaxq_u8(x.val[0], x.val[1]), vmaxq_u8(x.val[2], x.val[3]));
    uint8x16_t backslash = vdupq_n_u8('\\');
    uint8x16_t ab = vorrq_u8(vceqq_u8(x.val[0], backslash), vceqq_u8(x.val[1], backslash));
    uint8x16_t cd = vorrq_u8(vceqq_u8(x.val[2], backslash), vceqq_u8(x.val[3], backslash));
    return vminvq_u8(least) >= ' ' && vmaxvq_u8(most) < 0x80 && vmaxvq_u8(vorrq_u8(ab, cd)) == 0;
}

// The first pass over a JSON text: one call finds every quote that no backslash escapes, and checks at the same time what
// holds for the text as a whole. Written in C because Swift 6 has no portable way to make 16 bits of a comparison of 16
// bytes; what Swift's own SIMD types make of it is slower than no SIMD at all.
#ifndef PUSHPIPE_CBLOCKSCAN_H
#define PUSHPIPE_CBLOCKSCAN_H

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

#endif

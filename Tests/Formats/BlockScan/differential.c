// Compares every variant of CPushBlockScan that this processor can run with the plain one, and all of them with functions that know nothing of
// blocks. run.sh says how; the texts are the same in every run.
#define _GNU_SOURCE
#include "blockscan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 4096, DEPTH = 64 };

// MARK: - Random texts

static uint64_t seed = 1;

// SplitMix64.
static uint64_t next(void) {
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static size_t below(size_t bound) { return next() % bound; }

static uint8_t made[MOST];
static size_t made_count;

static void put(const char *bytes, size_t count) {
    if (made_count + count > MOST) return;
    memcpy(made + made_count, bytes, count);
    made_count += count;
}

static void put_text(const char *text) { put(text, strlen(text)); }

#define ONE_OF(list) ((list)[below(sizeof(list) / sizeof *(list))])

static void put_string(void) {
    static const char *const pieces[] = {
        "a", "title", "aps", " ", "{", "]", "\xC3\xA9", "\xE6\xBC\xA2\xE5\xAD\x97", "\xF0\x9F\x8E\x89", "\\\"", "\\\\", "\\n",
        "\\u00e9", "\\uD83D\\uDE00", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    };
    put_text("\"");
    for (size_t left = below(3) == 0 ? below(40) : below(4); left > 0; left--) {
        if (below(12) == 0) for (size_t x = below(130); x > 0; x--) put_text("x");
        put_text(below(3) == 0 ? ONE_OF(pieces) : pieces[below(4)]);
    }
    put_text("\"");
}

static void put_value(int depth) {
    static const char *const plain[] = {
        "true", "false", "null", "0", "-1", "12.5", "1e9", "-0.25E-3", "9223372036854775807", "123456789012345678",
    };
    static const char *const spaces[] = {"", "", "", " ", "  "};
    size_t kind = below(depth > 5 ? 6 : 10);
    if (kind < 3) {
        put_text(ONE_OF(plain));
    } else if (kind < 6) {
        put_string();
    } else {
        bool is_object = kind < 9;
        put_text(is_object ? "{" : "[");
        for (size_t left = below(below(40) == 0 ? 40 : 5), first = 1; left > 0; left--, first = 0) {
            if (!first) put_text(",");
            put_text(ONE_OF(spaces));
            if (is_object) {
                put_string();
                put_text(ONE_OF(spaces));
                put_text(":");
            }
            put_text(ONE_OF(spaces));
            put_value(depth + 1);
            put_text(ONE_OF(spaces));
        }
        put_text(is_object ? "}" : "]");
    }
}

// Changes a byte or two, or cuts a part out.
static void mutate(void) {
    static const uint8_t bytes[] = {0, 9, 10, 0x1F, ' ', '"', '\\', ',', ':', '{', '}', '[', ']', '0', 'u', 0x7F, 0x80, 0xBF,
        0xC0, 0xC1, 0xC2, 0xE0, 0xED, 0xA0, 0x9F, 0x90, 0x8F, 0xF0, 0xF4, 0xF5, 0xFF};
    for (size_t left = 1 + below(2); left > 0 && made_count > 1; left--) {
        size_t at = below(made_count);
        if (below(4) == 0) {
            size_t count = 1 + below(made_count - at < 20 ? made_count - at : 20);
            memmove(made + at, made + at + count, made_count - at - count);
            made_count -= count;
        } else {
            made[at] = ONE_OF(bytes);
        }
    }
}

static void make_text(void) {
    made_count = 0;
    switch (below(8)) {
    case 0:
        // Bytes that mean something, without any order.
        for (size_t left = below(300); left > 0; left--) {
            static const char *const pieces[] = {"\"", "\\", "\\\"", "a", "\xC3\xA9", "\xE6\xBC\xA2", "\xF0\x9F\x8E\x89", " ", "\\\\\\", "\x80"};
            put_text(pieces[below(below(30) == 0 ? 10 : 9)]);
        }
        break;
    case 1:
        // Any bytes behind text, so that they are in every place of a block.
        for (size_t left = below(130); left > 0; left--) put_text("x");
        for (size_t left = below(8); left > 0; left--) put((const char[]){(char)(0x80 | below(128))}, 1);
        for (size_t left = below(130); left > 0; left--) put_text("x");
        break;
    default:
        put_text("{\"p\":\"");
        for (size_t left = below(130); left > 0; left--) put_text("x");
        put_text("\",\"v\":");
        put_value(0);
        put_text("}");
        if (below(2) == 0) mutate();
    }
}

// MARK: - Memory that ends where a text does

typedef struct {
    uint8_t *end;
} fence;

static fence make_fence(size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
    uint8_t *start = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole, page, PROT_NONE)) abort();
    return (fence){start + whole};
}

static const uint8_t *text;
static size_t size;

static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nin %zu bytes: ", size);
    for (size_t i = 0; i < size; i++) fprintf(stderr, text[i] >= ' ' && text[i] < 0x7F ? "%c" : "\\x%02X", text[i]);
    fprintf(stderr, "\n");
    exit(1);
}

// MARK: - The same, byte by byte

// The length of the well-formed UTF-8 sequence at `i`; 0 if there is none. Source: Unicode, table 3-7.
static size_t sequence(size_t i) {
    static const uint8_t rows[][4] = {
        {0xC2, 0xDF, 0x80, 0xBF}, {0xE0, 0xE0, 0xA0, 0xBF}, {0xE1, 0xEC, 0x80, 0xBF}, {0xED, 0xED, 0x80, 0x9F},
        {0xEE, 0xEF, 0x80, 0xBF}, {0xF0, 0xF0, 0x90, 0xBF}, {0xF1, 0xF3, 0x80, 0xBF}, {0xF4, 0xF4, 0x80, 0x8F},
    };
    if (text[i] < 0x80) return 1;
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        if (text[i] < rows[row][0] || text[i] > rows[row][1]) continue;
        size_t length = text[i] < 0xE0 ? 2 : text[i] < 0xF0 ? 3 : 4;
        if (i + length > size || text[i + 1] < rows[row][2] || text[i + 1] > rows[row][3]) return 0;
        for (size_t j = 2; j < length; j++) if (text[i + j] < 0x80 || text[i + j] > 0xBF) return 0;
        return length;
    }
    return 0;
}

static bool is_in_doubt(void) {
    for (size_t i = 0; i < size; i++) if (text[i] < ' ') return true;
    for (size_t i = 0, length; i < size; i += length) if (!(length = sequence(i))) return true;
    return false;
}

// A reader of JSON by recursive descent. Objects may have a name twice, as in the walk.
static blockscan_entry expected[MOST];
static uint32_t expected_count;
static size_t at;

static void skip(void) { while (at < size && text[at] == ' ') at++; }

static bool take(uint8_t byte) {
    if (at >= size || text[at] != byte) return false;
    at++;
    return true;
}

static uint32_t append(uint8_t kind, size_t from, size_t length) {
    expected[expected_count] = (blockscan_entry){(uint32_t)from, (uint32_t)length, expected_count + 1, kind, 0, 0};
    return expected_count++;
}

static long unit(void) {
    if (size - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return -1;
    char digits[5] = {0};
    memcpy(digits, text + at + 2, 4);
    for (int i = 0; i < 4; i++) if (!strchr("0123456789abcdefABCDEF", digits[i]) || !digits[i]) return -1;
    at += 6;
    return strtol(digits, NULL, 16);
}

static bool read_string(uint8_t kind) {
    if (!take('"')) return false;
    size_t from = at;
    bool has_escapes = false;
    while (at < size && text[at] != '"') {
        if (text[at] != '\\') {
            at++;
            continue;
        }
        has_escapes = true;
        if (at + 1 < size && text[at + 1] == 'u') {
            long first = unit();
            if (first <= 0 || (first >= 0xDC00 && first < 0xE000)) return false;
            if (first >= 0xD800 && first < 0xDC00) {
                long second = unit();
                if (second < 0xDC00 || second >= 0xE000) return false;
            }
        } else if (at + 1 < size && text[at + 1] && strchr("\"\\/bfnrt", text[at + 1])) {
            at += 2;
        } else {
            return false;
        }
    }
    expected[append(kind, from, at - from)].has_escapes = has_escapes;
    return take('"');
}

static size_t digits(void) {
    size_t from = at;
    while (at < size && text[at] >= '0' && text[at] <= '9') at++;
    return at - from;
}

// Numbers that may not fit into 64 bits or a double are the bytewise scanner's.
static bool read_number(void) {
    size_t from = at;
    take('-');
    size_t start = at, whole = digits();
    if (!whole || (whole > 1 && text[start] == '0')) return false;
    bool is_whole = true;
    size_t power = 0;
    if (take('.')) {
        is_whole = false;
        if (!digits()) return false;
    }
    if (take('e') || take('E')) {
        is_whole = false;
        if (!take('+')) take('-');
        if (!(power = digits())) return false;
    }
    append(BLOCKSCAN_NUMBER, from, at - from);
    if (!is_whole) return at - from <= 200 && power <= 2;
    return whole < 19 || (whole == 19 && memcmp(text + start, "9223372036854775807", 19) <= 0);
}

static bool read_word(const char *word, uint8_t kind) {
    size_t length = strlen(word);
    if (size - at < length || memcmp(text + at, word, length)) return false;
    append(kind, at, length);
    at += length;
    return true;
}

static bool read_value(int depth) {
    if (at >= size) return false;
    switch (text[at]) {
    case '"': return read_string(BLOCKSCAN_STRING);
    case 't': return read_word("true", BLOCKSCAN_TRUE);
    case 'f': return read_word("false", BLOCKSCAN_FALSE);
    case 'n': return read_word("null", BLOCKSCAN_NULL);
    case '{': case '[': break;
    default: return read_number();
    }
    if (depth == DEPTH) return false;
    bool is_object = text[at] == '{';
    size_t from = at++;
    uint32_t place = append(is_object ? BLOCKSCAN_OBJECT : BLOCKSCAN_ARRAY, from, 0);
    uint8_t close = is_object ? '}' : ']';
    skip();
    if (!take(close)) {
        do {
            skip();
            if (is_object) {
                if (!read_string(BLOCKSCAN_KEY)) return false;
                skip();
                if (!take(':')) return false;
                skip();
            }
            if (!read_value(depth + 1)) return false;
            skip();
        } while (take(','));
        if (!take(close)) return false;
    }
    expected[place].length = (uint32_t)(at - from);
    expected[place].next = expected_count;
    return true;
}

static bool read_text(void) {
    expected_count = 0;
    at = 0;
    if (is_in_doubt()) return false;
    skip();
    return at < size && (text[at] == '{' || text[at] == '[') && read_value(0) && at == size;
}

// MARK: - The comparisons

static const char *const names[] = {"plain", "baseline", "fast"};

static void compare_quotes(blockscan_variant variant, uint32_t *quotes) {
    blockscan_result result = blockscan_quotes(variant, text, size, quotes);
    bool doubt = is_in_doubt();
    if (doubt != (result.is_in_doubt != 0)) fail("%s: doubt is %d", names[variant], result.is_in_doubt);
    if (doubt) return;
    bool is_escaped = false, has_backslash = false;
    uint32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' && !is_escaped) {
            if (count >= result.count || quotes[count] != i) fail("%s: quote %u is not at %zu", names[variant], count, i);
            count++;
        }
        is_escaped = text[i] == '\\' && !is_escaped;
        has_backslash |= text[i] == '\\';
    }
    if (count != result.count) fail("%s: %u quotes, not %u", names[variant], result.count, count);
    if (has_backslash != (result.has_backslash != 0)) fail("%s: backslashes", names[variant]);
}

// Returns whether the text was accepted.
static bool compare_walk(blockscan_variant variant, uint32_t *quotes, blockscan_entry *entries, bool is_expected) {
    if (size < 64 || (text[size - 1] | 0x20) != '}') return false;
    static blockscan_level levels[DEPTH];
    blockscan_walk walk = {.text = text, .size = size, .quotes = quotes, .entries = entries, .levels = levels, .maximum_depth = DEPTH};
    blockscan_status status;
    while ((status = blockscan_scan(variant, &walk)) == BLOCKSCAN_CHECK_MEMBERS) {}
    if ((status == BLOCKSCAN_DONE) != is_expected) fail("%s: status %d, expected %d", names[variant], (int)status, is_expected);
    if (!is_expected) return false;
    if (walk.count != expected_count) fail("%s: %u entries, not %u", names[variant], walk.count, expected_count);
    for (uint32_t i = 0; i < expected_count; i++) {
        if (memcmp(&entries[i], &expected[i], sizeof *entries)) fail("%s: entry %u", names[variant], i);
    }
    return true;
}

static void compare_count(blockscan_variant variant, uint8_t byte) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++) count += text[i] == byte;
    size_t found = blockscan_count(variant, text, size, byte);
    if (found != count) fail("%s: %zu times %02X, not %zu", names[variant], found, byte, count);
}

static void compare_short_texts(void) {
    uint8_t out[MOST + BLOCKSCAN_COPY_SLACK];
    size_t plain = 0;
    while (plain < size && text[plain] >= ' ' && text[plain] != '"' && text[plain] != '\\') plain++;
    size_t found = blockscan_copy_plain(text, size, out);
    if (found != plain || memcmp(out, text, plain)) fail("%zu plain bytes, not %zu", found, plain);
    bool is_hexadecimal = true, has_capitals = false;
    for (size_t i = 0; i < size; i++) {
        is_hexadecimal &= text[i] && strchr("0123456789abcdefABCDEF", text[i]);
        has_capitals |= text[i] >= 'A' && text[i] <= 'F';
    }
    blockscan_digits digits = !is_hexadecimal ? BLOCKSCAN_NOT_HEXADECIMAL
        : has_capitals ? BLOCKSCAN_HEXADECIMAL_CAPITALS : BLOCKSCAN_HEXADECIMAL;
    if (blockscan_hexadecimal(text, size) != digits) fail("hexadecimal digits: not %d", (int)digits);
}

static void make_digits(void) {
    made_count = 0;
    size_t digits = below(3) == 0 ? 22 : 16;
    for (size_t left = below(100); left > 0; left--) put(&"0123456789abcdefABCDEF"[below(digits)], 1);
    if (below(3) == 0 && made_count) made[below(made_count)] = (uint8_t)"/:@G`g\"\x1f\xff"[below(9)];
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 100000, accepted = 0, doubted = 0;
    fence bytes = make_fence(MOST), offsets = make_fence((MOST + BLOCKSCAN_SLACK) * sizeof(uint32_t));
    fence rows = make_fence(MOST * sizeof(blockscan_entry));
    for (long round = 0; round < rounds; round++) {
        if (round % 8 == 7) make_digits(); else make_text();
        size = made_count;
        text = memcpy(bytes.end - size, made, size);
        uint32_t *quotes = (uint32_t *)(void *)(offsets.end - (size + BLOCKSCAN_SLACK) * sizeof(uint32_t));
        blockscan_entry *entries = (blockscan_entry *)(void *)(rows.end - (size + 1) / 2 * sizeof(blockscan_entry));
        bool is_expected = read_text();
        uint8_t counted = (uint8_t)"\"x\\a "[below(5)];
        for (blockscan_variant variant = BLOCKSCAN_PLAIN; variant <= blockscan_best_variant(); variant++) {
            compare_quotes(variant, quotes);
            accepted += compare_walk(variant, quotes, entries, is_expected) && variant == BLOCKSCAN_PLAIN;
            compare_count(variant, counted);
        }
        compare_short_texts();
        doubted += is_in_doubt();
    }
    printf("%ld texts, %ld of them accepted and %ld in doubt; variants up to %s agree\n", rounds, accepted, doubted,
           names[blockscan_best_variant()]);
    // A generator that makes nothing to compare shows nothing.
    return rounds >= 1000 && (accepted < rounds / 8 || doubted < rounds / 20);
}

// The second pass over a JSON text: from token to token, and from the opening quote of a string to its closing one. No guard:
// `blockscan.c` includes this once a variant.
//
// SOUND: `p` stays within the text without a comparison with its end, because the last byte is a bracket. It is not a quote,
// so every string ends before it. It is neither white space, nor a digit, nor a letter, so skipping, numbers and literals end
// before it. The walk passes it only as a closing bracket, and then checks whether the text has ended. Quotes are taken in
// pairs: their number is even, and outside strings the next quote in the text is the next one in the list.

// The offset of the first byte from `p` on that is not white space. The first pass found no other control characters.
static inline size_t VARIANT(skip)(const uint8_t *text, size_t p) {
    while (text[p] <= ' ') p++;
    return p;
}

static inline bool VARIANT(is_digit)(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

// MARK: - Escapes

static int VARIANT(hexadecimal_digit)(uint8_t byte) {
    if (VARIANT(is_digit)(byte)) return byte - '0';
    uint8_t letter = (uint8_t)((byte | 0x20) - 'a');
    return letter < 6 ? letter + 10 : -1;
}

// The code unit of the escape `\uXXXX` at `p`; -1 when there is none before `end`.
static int VARIANT(code_unit)(const uint8_t *p, const uint8_t *end) {
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return -1;
    int unit = 0;
    for (int i = 2; i < 6; i++) {
        int digit = VARIANT(hexadecimal_digit)(p[i]);
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static inline bool VARIANT(is_escaped_letter)(uint8_t byte) {
    switch (byte) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return true;
        default: return false;
    }
}

// Whether all escapes of a string are valid, and none is a NUL or half of a surrogate pair. `p` is the first one, and `end` the
// closing quote, so the last backslash has a letter.
static __attribute__((noinline)) bool VARIANT(are_plain_escapes)(const uint8_t *p, const uint8_t *end) {
    while (p < end) {
        // Escapes often come in a row.
        if (*p != '\\' && !(p = memchr(p, '\\', (size_t)(end - p)))) return true;
        if (p[1] != 'u') {
            if (!VARIANT(is_escaped_letter)(p[1])) return false;
            p += 2;
            continue;
        }
        int unit = VARIANT(code_unit)(p, end);
        if (unit <= 0 || (unit & 0xFC00) == 0xDC00) return false;
        p += 6;
        if ((unit & 0xFC00) != 0xD800) continue;
        if ((VARIANT(code_unit)(p, end) & 0xFFFFFC00) != 0xDC00) return false;
        p += 6;
    }
    return true;
}

static __attribute__((noinline)) size_t VARIANT(next_backslash)(const blockscan_walk *w, size_t p) {
    const uint8_t *found = memchr(w->text + p, '\\', w->size - p);
    return found ? (size_t)(found - w->text) : w->size;
}

// MARK: - Numbers

// The end of the number at `from`, whose digits up to `p` are read; 0 when there is none, or it may not fit into 64 bits or a
// double.
static __attribute__((noinline)) size_t VARIANT(long_number)(const uint8_t *text, size_t from, size_t p) {
    if (text[p] != '.' && (text[p] | 0x20) != 'e') {
        const size_t sign = text[from] == '-', digits = p - from - sign;
        bool fits = digits < 19 || (digits == 19 && memcmp(text + from + sign, "9223372036854775807", 19) <= 0);
        return fits ? p : 0;
    }
    size_t exponent = p;
    if (text[p] == '.') {
        if (!VARIANT(is_digit)(text[++p])) return 0;
        while (VARIANT(is_digit)(text[p])) p++;
        exponent = p;
    }
    if ((text[p] | 0x20) == 'e') {
        p++;
        if (text[p] == '+' || text[p] == '-') p++;
        exponent = p;
        while (VARIANT(is_digit)(text[p])) p++;
        if (p == exponent) return 0;
    }
    return p - from <= 200 && p - exponent <= 2 ? p : 0;
}

// The end of the number at `from`; 0 as above.
static inline size_t VARIANT(number)(const uint8_t *text, size_t from) {
    size_t p = from;
    if (text[p] == '-') p++;
    const uint8_t first = text[p];
    if (!VARIANT(is_digit)(first)) return 0;
    if (first == '0' && VARIANT(is_digit)(text[p + 1])) return 0;
    do p++;
    while (VARIANT(is_digit)(text[p]));
    if (UNLIKELY(text[p] == '.' || (text[p] | 0x20) == 'e' || p - from > 18)) return VARIANT(long_number)(text, from, p);
    return p;
}

// MARK: - The walk

// The number of members that an open array has, by which it is told from an object.
#define ARRAY_MEMBERS UINT32_MAX

// Compiled three times. In the copy for texts without a backslash, which most are, there is no code for escapes; one continues.
static inline __attribute__((always_inline)) blockscan_status VARIANT(walk)(
    blockscan_walk *w, const bool has_backslash, const bool resumes) {
    const uint8_t *const text = w->text;
    blockscan_level *const limit = w->levels + w->maximum_depth;
    blockscan_entry *const entries = w->entries;
    uint32_t *quotes = w->quotes;
    uint32_t count = resumes ? w->count : 0;
    blockscan_entry *entry = entries + count;
    // The innermost open array or object.
    blockscan_level inner = resumes ? w->inner : (blockscan_level){0, 0, 0};
    blockscan_level *level = w->levels + (resumes ? w->depth : 0);
    size_t p = resumes ? w->p : 0;
    // The next backslash; the size of the text when there is none.
    size_t backslash = w->size;
    uint8_t byte;

// Keeps a variable where it is: the compiler would delay the work on it beyond the next branch, and copy it until then.
#define KEEP(variable_) __asm__("" : "+r"(variable_))

// Appends an entry.
#define PUT(kind_, offset_, length_) \
    (count++, *entry++ = (blockscan_entry){(uint32_t)(offset_), (uint32_t)(length_), count, (kind_), 0, 0})

// Appends the string whose opening quote is at `p`, and moves `p` past it. The escapes of a string are checked, and it is marked.
#define PUT_STRING(kind_)                                                                                   \
    do {                                                                                                    \
        const uint32_t from = (uint32_t)p + 1, to = quotes[1];                                              \
        quotes += 2;                                                                                        \
        PUT(kind_, from, to - from);                                                                        \
        if ((kind_) == BLOCKSCAN_KEY) inner.names |= blockscan_name_bit(text + from, to - from);            \
        KEEP(inner.names);                                                                                  \
        p = to + 1;                                                                                         \
        if (has_backslash && UNLIKELY(to > backslash)) {                                                    \
            if (!VARIANT(are_plain_escapes)(text + backslash, text + to)) return BLOCKSCAN_IN_DOUBT;        \
            entry[-1].has_escapes = 1;                                                                      \
            /* An escaped name can spell any name. */                                                       \
            if ((kind_) == BLOCKSCAN_KEY) inner.names = ~0ull;                                              \
            backslash = VARIANT(next_backslash)(w, p);                                                      \
        }                                                                                                   \
    } while (0)

// Appends the number at `p`, and moves `p` past it.
#define PUT_NUMBER()                                        \
    do {                                                    \
        const size_t from = p;                              \
        p = VARIANT(number)(text, p);                       \
        if (UNLIKELY(p == 0)) return BLOCKSCAN_IN_DOUBT;    \
        PUT(BLOCKSCAN_NUMBER, from, p - from);              \
    } while (0)

// Opens the array or object at `p`.
#define OPEN(kind_, members_)                                  \
    do {                                                       \
        if (UNLIKELY(level == limit)) return BLOCKSCAN_IN_DOUBT; \
        *level++ = inner;                                      \
        inner = (blockscan_level){count, (members_), 0};       \
        PUT(kind_, p, 0);                                      \
        p++;                                                   \
    } while (0)

// Closes the innermost one at `p`, and moves `p` past it.
#define CLOSE()                                            \
    do {                                                   \
        blockscan_entry *const opening = entries + inner.entry; \
        p++;                                               \
        opening->length = (uint32_t)p - opening->offset;   \
        opening->next = count;                             \
    } while (0)

    if (resumes) {
        if (w->has_backslash) backslash = w->backslash;
        goto closed;
    }
    if (has_backslash) backslash = VARIANT(next_backslash)(w, p);
    p = VARIANT(skip)(text, p);
    if (text[p] == '[') goto array;
    if (text[p] != '{') return BLOCKSCAN_IN_DOUBT;

object:
    OPEN(BLOCKSCAN_OBJECT, 0);
    if (LIKELY(text[p] == '"')) goto member;
    p = VARIANT(skip)(text, p);
    if (text[p] == '}') goto close_object;

first_byte_of_member:
    if (text[p] != '"') return BLOCKSCAN_IN_DOUBT;

member:
    PUT_STRING(BLOCKSCAN_KEY);
    inner.count++;
    if (UNLIKELY(text[p] != ':')) {
        p = VARIANT(skip)(text, p);
        if (text[p] != ':') return BLOCKSCAN_IN_DOUBT;
    }
    byte = text[++p];
    if (LIKELY(byte == '"')) {
        PUT_STRING(BLOCKSCAN_STRING);
        if (LIKELY(text[p] == ',' && text[p + 1] == '"')) {
            p++;
            goto member;
        }
        goto next_member;
    }
    if (byte == '{') goto object;
    if (LIKELY(VARIANT(is_digit)(byte))) {
        PUT_NUMBER();
        goto next_member;
    }

value:
    p = VARIANT(skip)(text, p);
    byte = text[p];
    if (byte == '"') {
        PUT_STRING(BLOCKSCAN_STRING);
    } else if (byte == '{') {
        goto object;
    } else if (byte == '[') {
        goto array;
    } else if (VARIANT(is_digit)(byte) || byte == '-') {
        PUT_NUMBER();
    } else if (w->size - p < 5) {
        return BLOCKSCAN_IN_DOUBT;  // the shortest literal with a bracket has five bytes
    } else if (memcmp(text + p, "true", 4) == 0) {
        PUT(BLOCKSCAN_TRUE, p, 4);
        p += 4;
    } else if (memcmp(text + p, "null", 4) == 0) {
        PUT(BLOCKSCAN_NULL, p, 4);
        p += 4;
    } else if (memcmp(text + p, "false", 5) == 0) {
        PUT(BLOCKSCAN_FALSE, p, 5);
        p += 5;
    } else {
        return BLOCKSCAN_IN_DOUBT;
    }
    if (inner.count == ARRAY_MEMBERS) goto next_element;

next_member:
    byte = text[p];
    if (byte == ',') {
        if (LIKELY(text[++p] == '"')) goto member;
        p = VARIANT(skip)(text, p);
        goto first_byte_of_member;
    }
    if (LIKELY(byte == '}')) goto close_object;
    if (byte > ' ') return BLOCKSCAN_IN_DOUBT;
    p = VARIANT(skip)(text, p);
    goto next_member;

array:
    OPEN(BLOCKSCAN_ARRAY, ARRAY_MEMBERS);
    p = VARIANT(skip)(text, p);
    if (text[p] != ']') goto value;
    goto close;

next_element:
    p = VARIANT(skip)(text, p);
    if (text[p] == ',') {
        p++;
        goto value;
    }
    if (text[p] != ']') return BLOCKSCAN_IN_DOUBT;

close:
    CLOSE();
    goto closed;

close_object:
    CLOSE();
    // Two names with the same bit, or too many for the filter.
    if (UNLIKELY((uint32_t)__builtin_popcountll(inner.names) != inner.count || inner.count > BLOCKSCAN_SORTED_MEMBERS)) {
        w->quotes = quotes, w->count = count, w->inner = inner, w->p = p;
        if (has_backslash) w->backslash = backslash;
        w->depth = (uint32_t)(level - w->levels);
        return w->status = BLOCKSCAN_CHECK_MEMBERS;
    }

closed:
    inner = *--level;
    if (LIKELY(level != w->levels)) {
        if (p == w->size) return BLOCKSCAN_IN_DOUBT;
        if (LIKELY(inner.count != ARRAY_MEMBERS)) goto next_member;
        goto next_element;
    }
    w->count = count;
    return p == w->size ? BLOCKSCAN_DONE : BLOCKSCAN_IN_DOUBT;
}

// Continues after an object whose members were checked.
static __attribute__((noinline)) blockscan_status VARIANT(resume)(blockscan_walk *w) {
    return VARIANT(walk)(w, true, true);
}

static blockscan_status VARIANT(scan)(blockscan_walk *w) {
    const bool resumes = w->status == BLOCKSCAN_CHECK_MEMBERS;
    if (!resumes) {
        blockscan_result found = VARIANT(pass)(w->text, w->size, w->quotes);
        if (found.is_in_doubt || found.count & 1) return BLOCKSCAN_IN_DOUBT;
        w->quotes[found.count] = UINT32_MAX;
        w->has_backslash = found.has_backslash;
    }
    if (resumes) return VARIANT(resume)(w);
    return w->has_backslash ? VARIANT(walk)(w, true, false) : VARIANT(walk)(w, false, false);
}

#undef KEEP
#undef PUT
#undef PUT_STRING
#undef PUT_NUMBER
#undef OPEN
#undef CLOSE
#undef ARRAY_MEMBERS

// How many bytes of a text are equal to one. Compiled for each variant.

static size_t VARIANT(count)(const uint8_t *text, size_t size, uint8_t byte) {
    // A block's number fits a byte, so that the compiler compares and adds vectors of bytes.
    enum { BLOCK = 224 };
    size_t total = 0;
    for (; size >= BLOCK; size -= BLOCK, text += BLOCK) {
        uint8_t found = 0;
        for (int i = 0; i < BLOCK; i++) found += text[i] == byte;
        total += found;
    }
    for (; size > 0; size--, text++) total += *text == byte;
    return total;
}

// Encodes and decodes pictures while memory runs out at each allocation in turn. Exits with the number of leaks.
#include "CImageCodecs.h"

#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void __libc_free(void *memory);

static int counts;
static long allocations, failing, live;

void *malloc(size_t size) {
    if (counts) {
        if (allocations++ == failing) return NULL;
        live++;
    }
    return __libc_malloc(size);
}

void free(void *memory) {
    if (counts && memory) live--;
    __libc_free(memory);
}

enum { width = 400, height = 400 };
static uint8_t pixels[width * height * 4];
static uint8_t *files[2];
static size_t sizes[2];

static int run(int operation, uint8_t **result, size_t *size) {
    uint32_t w, h;
    switch (operation) {
    case 0: return image_encode_jpeg(pixels, width, height, 95, result, size);
    case 1: return image_encode_png(pixels, width, height, result, size);
    case 2: return image_decode_jpeg(files[0], sizes[0], &w, &h, result);
    default: return image_decode_png(files[1], sizes[1], &w, &h, result);
    }
}

int main(void) {
    // Noise, so that an encoded picture outgrows its first buffer.
    for (size_t place = 0; place < sizeof pixels; place++) pixels[place] = (uint8_t)rand();
    for (int kind = 0; kind < 2; kind++) {
        if (!run(kind, &files[kind], &sizes[kind])) return 100;
    }
    int leaks = 0;
    for (int operation = 0; operation < 4; operation++) {
        for (failing = 0;; failing++) {
            uint8_t *result = NULL;
            size_t size = 0;
            allocations = live = 0;
            counts = 1;
            int isDone = run(operation, &result, &size);
            if (isDone) free(result);
            counts = 0;
            if (live != 0) {
                printf("operation %d, allocation %ld: %ld live\n", operation, failing, live);
                leaks++;
            }
            if (isDone && allocations <= failing) break;
        }
    }
    return leaks;
}

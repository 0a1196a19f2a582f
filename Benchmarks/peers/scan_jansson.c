/* Measures how fast jansson parses the lines of a file.
 *
 *     gcc -O3 -std=c11 -Wall -Wextra scan_jansson.c -o scan_jansson -ljansson
 *     scan_jansson FILE ROUNDS
 *
 * The file is in memory before the measurement starts; each document is built and freed. Prints
 * `scan_jansson DOCS BYTES best-ns median-ns`: documents and bytes of a round, nanoseconds per document in the best and
 * in the median round. To stderr: the same in MB/s, and lines that are not JSON, which count as documents.
 */

#define _POSIX_C_SOURCE 200809L

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    char *bytes;
    size_t count;
} Text;

static void fail(const char *what) {
    perror(what);
    exit(2);
}

static Text load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail(path);
    const long count = ftell(file);
    if (count < 0) fail(path);
    rewind(file);
    Text text = {malloc((size_t)count + 1), (size_t)count};
    if (!text.bytes || fread(text.bytes, 1, text.count, file) != text.count) fail(path);
    fclose(file);
    return text;
}

/* Parses every line. Returns the number of lines that are not JSON. */
static size_t scan(Text text, size_t *documents) {
    const char *line = text.bytes, *end = text.bytes + text.count;
    size_t failures = 0;
    *documents = 0;
    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end;
        if (stop > line) {
            json_t *value = json_loadb(line, (size_t)(stop - line), JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
            failures += value == NULL;
            json_decref(value);
            ++*documents;
        }
        line = stop + 1;
    }
    return failures;
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    const long rounds = count == 3 ? strtol(arguments[2], NULL, 10) : 0;
    if (rounds < 1) {
        fprintf(stderr, "usage: scan_jansson FILE ROUNDS\n");
        return 2;
    }
    const Text text = load(arguments[1]);
    double *times = malloc((size_t)rounds * sizeof *times); /* nanoseconds per document */
    if (!times) fail("scan_jansson");
    size_t documents = 0, failures = 0;
    for (long round = 0; round < rounds; ++round) {
        const double begin = nanoseconds();
        failures = scan(text, &documents);
        times[round] = (nanoseconds() - begin) / (double)(documents ? documents : 1);
    }
    qsort(times, (size_t)rounds, sizeof *times, compare);
    const double best = times[0], median = times[(rounds - 1) / 2];
    const double bytes = (double)text.count / (double)(documents ? documents : 1);
    fprintf(stderr, "scan_jansson: best %.0f MB/s, median %.0f MB/s, %zu not JSON\n", bytes / best * 1e3,
        bytes / median * 1e3, failures);
    printf("scan_jansson %zu %zu %.1f %.1f\n", documents, text.count, best, median);
    free(times);
    free(text.bytes);
    return 0;
}

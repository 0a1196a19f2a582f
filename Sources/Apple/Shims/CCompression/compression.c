#include "CCompression.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// Level 5 is Apple's.
enum { level = 5, raw = -MAX_WBITS, memory = 8 };

struct state {
    z_stream zlib;
    bool encodes;
};

size_t compression_encode_scratch_buffer_size(compression_algorithm algorithm) { return 0; }
size_t compression_decode_scratch_buffer_size(compression_algorithm algorithm) { return 0; }

compression_status compression_stream_init(
    compression_stream *stream, compression_stream_operation operation, compression_algorithm algorithm) {
    if (!stream || algorithm != COMPRESSION_ZLIB) return COMPRESSION_STATUS_ERROR;
    memset(stream, 0, sizeof *stream);
    struct state *state = calloc(1, sizeof *state);
    if (!state) return COMPRESSION_STATUS_ERROR;
    state->encodes = operation == COMPRESSION_STREAM_ENCODE;
    int result = state->encodes ? deflateInit2(&state->zlib, level, Z_DEFLATED, raw, memory, Z_DEFAULT_STRATEGY)
                                : inflateInit2(&state->zlib, raw);
    if (result != Z_OK) {
        free(state);
        return COMPRESSION_STATUS_ERROR;
    }
    stream->state = state;
    return COMPRESSION_STATUS_OK;
}

static unsigned piece(size_t size) { return size > UINT_MAX ? UINT_MAX : (unsigned)size; }

compression_status compression_stream_process(compression_stream *stream, int flags) {
    struct state *state = stream ? stream->state : NULL;
    if (!state) return COMPRESSION_STATUS_ERROR;
    z_stream *zlib = &state->zlib;
    while (true) {
        unsigned input = piece(stream->src_size), output = piece(stream->dst_size);
        zlib->next_in = (unsigned char *)stream->src_ptr;
        zlib->avail_in = input;
        zlib->next_out = stream->dst_ptr;
        zlib->avail_out = output;
        bool isLast = input == stream->src_size && (flags & COMPRESSION_STREAM_FINALIZE);
        int result = state->encodes ? deflate(zlib, isLast ? Z_FINISH : Z_NO_FLUSH) : inflate(zlib, Z_NO_FLUSH);
        size_t taken = input - zlib->avail_in, given = output - zlib->avail_out;
        stream->src_ptr = taken > 0 ? stream->src_ptr + taken : stream->src_ptr;
        stream->src_size -= taken;
        stream->dst_ptr = given > 0 ? stream->dst_ptr + given : stream->dst_ptr;
        stream->dst_size -= given;
        if (result == Z_STREAM_END) return COMPRESSION_STATUS_END;
        // No progress: more input or more room is needed. Input that ends too early is an error.
        if (result == Z_BUF_ERROR || (result == Z_OK && taken == 0 && given == 0)) {
            bool isCut = !state->encodes && isLast && stream->src_size == 0 && stream->dst_size > 0;
            return isCut ? COMPRESSION_STATUS_ERROR : COMPRESSION_STATUS_OK;
        }
        if (result != Z_OK) return COMPRESSION_STATUS_ERROR;
    }
}

compression_status compression_stream_destroy(compression_stream *stream) {
    struct state *state = stream ? stream->state : NULL;
    if (!state) return COMPRESSION_STATUS_ERROR;
    if (state->encodes) {
        deflateEnd(&state->zlib);
    } else {
        inflateEnd(&state->zlib);
    }
    free(state);
    stream->state = NULL;
    return COMPRESSION_STATUS_OK;
}

static size_t whole(
    compression_stream_operation operation, uint8_t *dst, size_t dst_size, const uint8_t *src, size_t src_size,
    compression_algorithm algorithm) {
    compression_stream stream;
    if (compression_stream_init(&stream, operation, algorithm) != COMPRESSION_STATUS_OK) return 0;
    stream.dst_ptr = dst;
    stream.dst_size = dst_size;
    stream.src_ptr = src;
    stream.src_size = src_size;
    compression_status status = compression_stream_process(&stream, COMPRESSION_STREAM_FINALIZE);
    size_t written = dst_size - stream.dst_size;
    compression_stream_destroy(&stream);
    if (status == COMPRESSION_STATUS_END) return written;
    // A buffer that is too small has the start of what is decoded.
    return status == COMPRESSION_STATUS_OK && operation == COMPRESSION_STREAM_DECODE ? written : 0;
}

size_t compression_encode_buffer(
    uint8_t *dst_buffer, size_t dst_size, const uint8_t *src_buffer, size_t src_size, void *scratch_buffer,
    compression_algorithm algorithm) {
    return whole(COMPRESSION_STREAM_ENCODE, dst_buffer, dst_size, src_buffer, src_size, algorithm);
}

size_t compression_decode_buffer(
    uint8_t *dst_buffer, size_t dst_size, const uint8_t *src_buffer, size_t src_size, void *scratch_buffer,
    compression_algorithm algorithm) {
    return whole(COMPRESSION_STREAM_DECODE, dst_buffer, dst_size, src_buffer, src_size, algorithm);
}

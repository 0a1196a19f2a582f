#ifndef PUSHPIPE_C_COMPRESSION_H
#define PUSHPIPE_C_COMPRESSION_H

#include <stddef.h>
#include <stdint.h>

// Apple's Compression, as far as zlib does it: DEFLATE without a header, which Apple calls ZLIB.

typedef enum { COMPRESSION_ZLIB = 0x205 } compression_algorithm;

#define PUSHPIPE_MISSING(name)                                                                             \
    extern const compression_algorithm name                                                                \
        __attribute__((unavailable(#name " is not on Linux; of Compression there is COMPRESSION_ZLIB only")));
PUSHPIPE_MISSING(COMPRESSION_LZ4)
PUSHPIPE_MISSING(COMPRESSION_LZ4_RAW)
PUSHPIPE_MISSING(COMPRESSION_LZMA)
PUSHPIPE_MISSING(COMPRESSION_LZFSE)
PUSHPIPE_MISSING(COMPRESSION_LZBITMAP)
PUSHPIPE_MISSING(COMPRESSION_BROTLI)
#undef PUSHPIPE_MISSING

size_t compression_encode_scratch_buffer_size(compression_algorithm algorithm);
size_t compression_decode_scratch_buffer_size(compression_algorithm algorithm);
// Bytes written; 0 for an error, and if the compressed data has no room. The scratch buffer is not used.
size_t compression_encode_buffer(
    uint8_t *dst_buffer, size_t dst_size, const uint8_t *src_buffer, size_t src_size, void *scratch_buffer,
    compression_algorithm algorithm);
// Bytes written, at most `dst_size`: what has no room is cut off. 0 for an error.
size_t compression_decode_buffer(
    uint8_t *dst_buffer, size_t dst_size, const uint8_t *src_buffer, size_t src_size, void *scratch_buffer,
    compression_algorithm algorithm);

typedef enum { COMPRESSION_STREAM_ENCODE = 0, COMPRESSION_STREAM_DECODE = 1 } compression_stream_operation;
typedef enum { COMPRESSION_STREAM_FINALIZE = 0x0001 } compression_stream_flags;
typedef enum {
    COMPRESSION_STATUS_OK = 0,
    COMPRESSION_STATUS_ERROR = -1,
    COMPRESSION_STATUS_END = 1
} compression_status;

typedef struct {
    uint8_t *dst_ptr;
    size_t dst_size;
    const uint8_t *src_ptr;
    size_t src_size;
    void *state;
} compression_stream;

compression_status compression_stream_init(
    compression_stream *stream, compression_stream_operation operation, compression_algorithm algorithm);
compression_status compression_stream_process(compression_stream *stream, int flags);
compression_status compression_stream_destroy(compression_stream *stream);

#endif

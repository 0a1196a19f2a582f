#include "CImageCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

// A file decides how large its picture is. An extension has some 24 MB, so this is more than any device shows.
static const uint64_t largest = 64 * 1024 * 1024;

static uint8_t *buffer(uint64_t width, uint64_t height) {
    if (width == 0 || height == 0 || width > largest || height > largest || width * height > largest) return NULL;
    return malloc(width * height * 4);
}

int image_decode_png(const uint8_t *data, size_t size, uint32_t *width, uint32_t *height, uint8_t **pixels) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, data, size)) return 0;
    image.format = PNG_FORMAT_RGBA;
    uint8_t *bytes = buffer(image.width, image.height);
    if (!bytes || !png_image_finish_read(&image, NULL, bytes, 0, NULL)) {
        png_image_free(&image);
        free(bytes);
        return 0;
    }
    *width = image.width;
    *height = image.height;
    *pixels = bytes;
    return 1;
}

int image_encode_png(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **data, size_t *size) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t length = 0;
    if (!png_image_write_to_memory(&image, NULL, &length, 0, pixels, 0, NULL)) return 0;
    uint8_t *bytes = malloc(length);
    if (!bytes || !png_image_write_to_memory(&image, bytes, &length, 0, pixels, 0, NULL)) {
        free(bytes);
        return 0;
    }
    *data = bytes;
    *size = length;
    return 1;
}

struct failure {
    struct jpeg_error_mgr errors;
    jmp_buf place;
};

static void fail(j_common_ptr info) { longjmp(((struct failure *)info->err)->place, 1); }
static void ignore(j_common_ptr info) { (void)info; }

int image_decode_jpeg(const uint8_t *data, size_t size, uint32_t *width, uint32_t *height, uint8_t **pixels) {
    struct jpeg_decompress_struct info;
    struct failure failure;
    // Volatile, because they are set between setjmp and longjmp.
    uint8_t *volatile bytes = NULL;
    uint8_t *volatile row = NULL;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.errors);
    failure.errors.error_exit = fail;
    failure.errors.output_message = ignore;
    if (setjmp(failure.place)) {
        jpeg_destroy_decompress(&info);
        free(bytes);
        free(row);
        return 0;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, data, size);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    bytes = buffer(info.image_width, info.image_height);
    row = malloc((size_t)info.image_width * 3);
    if (!bytes || !row) longjmp(failure.place, 1);
    jpeg_start_decompress(&info);
    while (info.output_scanline < info.output_height) {
        uint8_t *target = bytes + (size_t)info.output_scanline * info.output_width * 4;
        JSAMPROW rows[1] = {row};
        jpeg_read_scanlines(&info, rows, 1);
        for (size_t place = 0; place < info.output_width; place++) {
            memcpy(target + place * 4, row + place * 3, 3);
            target[place * 4 + 3] = 255;
        }
    }
    *width = info.output_width;
    *height = info.output_height;
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free(row);
    *pixels = bytes;
    return 1;
}

int image_encode_jpeg(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t **data, size_t *size) {
    struct jpeg_compress_struct info;
    struct failure failure;
    // libjpeg fills a buffer that it is given, and leaves it alone when it needs a larger one. It tells the buffer that it uses only at
    // the end, so a failure has to ask for it: nobody else frees it.
    unsigned long length = 4096;
    unsigned char *const first = malloc(length);
    unsigned char *bytes = first;
    uint8_t *volatile row = NULL;
    if (!first) return 0;
    memset(&info, 0, sizeof info);
    info.err = jpeg_std_error(&failure.errors);
    failure.errors.error_exit = fail;
    failure.errors.output_message = ignore;
    if (setjmp(failure.place)) {
        bytes = first;
        if (info.dest) info.dest->term_destination(&info);
        if (bytes != first) free(bytes);
        jpeg_destroy_compress(&info);
        free(first);
        free(row);
        return 0;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &length);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    row = malloc((size_t)width * 3);
    if (!row) longjmp(failure.place, 1);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        const uint8_t *source = pixels + (size_t)info.next_scanline * width * 4;
        for (size_t place = 0; place < width; place++) memcpy(row + place * 3, source + place * 4, 3);
        JSAMPROW rows[1] = {row};
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(row);
    if (bytes != first) free(first);
    *data = bytes;
    *size = length;
    return 1;
}

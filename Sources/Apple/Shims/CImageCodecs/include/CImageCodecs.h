// PNG and JPEG as pixels, for the shim of UIKit: libpng's simplified interface, and libjpeg's, which reports errors by longjmp and so cannot
// be called from Swift.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Pixels are rows of red, green, blue and alpha, one byte each, not premultiplied. What is returned through a pointer is freed by the caller
// with free(). Each function returns 1, or 0 if it failed.

int image_decode_png(const uint8_t *data, size_t size, uint32_t *width, uint32_t *height, uint8_t **pixels);
int image_decode_jpeg(const uint8_t *data, size_t size, uint32_t *width, uint32_t *height, uint8_t **pixels);
int image_encode_png(const uint8_t *pixels, uint32_t width, uint32_t height, uint8_t **data, size_t *size);
// Quality is from 0 to 100. Alpha is dropped.
int image_encode_jpeg(const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t **data, size_t *size);

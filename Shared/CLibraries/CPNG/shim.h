// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// libpng reports errors with `longjmp`, which must not cross Swift's frames. So this function calls `setjmp`, and its
// callbacks do not call Swift.

/// A picture to encode, and the PNG.
struct tidings_png {
    int width;
    int height;
    /// The bits per pixel: 1, 2, 4 or 8.
    int bits;
    /// The packed rows, the leftmost pixel in the highest bits.
    const unsigned char *rows;
    /// The number of bytes of a row.
    size_t stride;
    /// The colours, three bytes each; their number is 0 for levels of grey.
    const unsigned char *colors;
    int color_count;
    /// The level of zlib, and libpng's set of filters.
    int level;
    int filters;

    /// The PNG; the caller frees it.
    unsigned char *data;
    size_t count;
    size_t capacity;
    /// The error; empty if there is none.
    char message[128];
};

static void tidings_png_fail(png_structp png, png_const_charp message) {
    struct tidings_png *picture = (struct tidings_png *)png_get_error_ptr(png);
    strncpy(picture->message, message, sizeof picture->message - 1);
    png_longjmp(png, 1);
}

static void tidings_png_ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void tidings_png_append(png_structp png, png_bytep bytes, size_t count) {
    struct tidings_png *picture = (struct tidings_png *)png_get_io_ptr(png);
    if (count > picture->capacity - picture->count) {
        size_t capacity = (picture->capacity + count) * 2;
        unsigned char *data = (unsigned char *)realloc(picture->data, capacity);
        if (data == NULL) png_error(png, "out of memory");
        picture->data = data;
        picture->capacity = capacity;
    }
    memcpy(picture->data + picture->count, bytes, count);
    picture->count += count;
}

static void tidings_png_flush(png_structp png) { (void)png; }

/// Encodes a picture; returns 0 and sets `message` if that fails.
///
/// The file has the chunks IHDR, PLTE for colours, IDAT and IEND.
static inline int tidings_png_encode(struct tidings_png *picture) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, picture, tidings_png_fail, tidings_png_ignore);
    if (png == NULL) {
        strncpy(picture->message, "libpng cannot be initialised", sizeof picture->message - 1);
        return 0;
    }
    png_infop info = png_create_info_struct(png);
    if (info == NULL || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        if (picture->message[0] == 0) strncpy(picture->message, "out of memory", sizeof picture->message - 1);
        return 0;
    }
    png_set_write_fn(png, picture, tidings_png_append, tidings_png_flush);
    png_set_compression_level(png, picture->level);
    png_set_compression_mem_level(png, MAX_MEM_LEVEL);
    png_set_compression_strategy(png, Z_DEFAULT_STRATEGY);
    png_set_compression_buffer_size(png, 1 << 16);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, picture->filters);
    png_set_IHDR(
        png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, picture->bits,
        picture->color_count > 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (picture->color_count > 0) {
        png_color colors[256];
        int count = picture->color_count < 256 ? picture->color_count : 256;
        for (int index = 0; index < count; index++) {
            colors[index].red = picture->colors[3 * index];
            colors[index].green = picture->colors[3 * index + 1];
            colors[index].blue = picture->colors[3 * index + 2];
        }
        png_set_PLTE(png, info, colors, count);
    }
    png_write_info(png, info);
    for (int row = 0; row < picture->height; row++) png_write_row(png, picture->rows + row * picture->stride);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return 1;
}

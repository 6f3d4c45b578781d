// SPDX-License-Identifier: MIT
//
// As much JSON as a subscriber needs: members of objects, elements of arrays, strings without escapes.

#ifndef TIDINGS_JSON_H
#define TIDINGS_JSON_H

#include <stdbool.h>
#include <stddef.h>

/// Bytes that somebody else owns.
typedef struct {
    const char *bytes;
    size_t count;
} Text;

/// Calls `body` for each member of the object or element of the array. Keys with escapes are passed over as they are.
void forEach(Text value, void (*body)(Text key, Text value, void *context), void *context);

/// Returns the value of a member of the object; an empty text if there is none.
Text member(Text object, const char *name);

/// Copies a JSON string without escapes. Returns false if it is none, or too long.
bool copyString(Text value, char *target, size_t capacity);

#endif

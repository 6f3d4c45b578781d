// SPDX-License-Identifier: MIT

#include "json.h"

#include <string.h>

static const char *skipSpace(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
    return at;
}

/// Returns the place behind the JSON value at `at`.
static const char *skipValue(const char *at, const char *end) {
    int depth = 0;
    for (bool isInString = false; at < end; at++) {
        if (isInString) {
            if (*at == '\\') at++;
            else if (*at == '"') isInString = false;
        } else if (*at == '"') {
            isInString = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            if (--depth == 0) return at + 1;
        } else if (*at == ',' && depth == 0) {
            return at;
        }
    }
    return end;
}

void forEach(Text value, void (*body)(Text key, Text value, void *context), void *context) {
    if (value.count < 2) return;
    bool isObject = value.bytes[0] == '{';
    const char *end = value.bytes + value.count - 1, *at = skipSpace(value.bytes + 1, end);
    while (at < end) {
        Text key = {at, 0};
        if (isObject) {
            if (*at != '"') return;
            const char *close = at + 1;
            while (close < end && *close != '"') close += *close == '\\' ? 2 : 1;
            if (close >= end) return;
            key = (Text){at + 1, (size_t)(close - at - 1)};
            at = skipSpace(close + 1, end);
            if (at >= end || *at != ':') return;
            at = skipSpace(at + 1, end);
        }
        const char *next = skipValue(at, end), *last = next;
        while (last > at && (last[-1] == ' ' || last[-1] == '\n')) last--;
        body(key, (Text){at, (size_t)(last - at)}, context);
        at = skipSpace(next, end);
        if (at >= end || *at != ',') return;
        at = skipSpace(at + 1, end);
    }
}

typedef struct {
    const char *name;
    Text found;
} Search;

static void compareKey(Text key, Text value, void *context) {
    Search *search = context;
    if (key.count == strlen(search->name) && !memcmp(key.bytes, search->name, key.count)) search->found = value;
}

Text member(Text object, const char *name) {
    Search search = {name, {"", 0}};
    if (object.count > 0 && object.bytes[0] == '{') forEach(object, compareKey, &search);
    return search.found;
}

bool copyString(Text value, char *target, size_t capacity) {
    if (value.count < 2 || value.bytes[0] != '"' || value.count - 2 >= capacity) return false;
    memcpy(target, value.bytes + 1, value.count - 2);
    target[value.count - 2] = 0;
    return true;
}

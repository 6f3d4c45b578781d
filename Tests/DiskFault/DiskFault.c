// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// A disk that fails for one process, for as long as somebody wants.
//
// Preloaded (LD_PRELOAD) into a program, it looks at every call that changes a file whose path begins with
// DISK_FAULT_PREFIX. While the file DISK_FAULT_SWITCH exists, its content says what becomes of the call:
//
// - "full": a file cannot grow, and none can be made (ENOSPC); what it has can be written anew, as on a real disk;
// - "readOnly": nothing can be changed, and nothing opened for writing (EROFS);
// - "broken": what is written or synced fails (EIO).
//
// It keeps no state, so descriptors of every age are met. What is written through mmap is not.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

typedef enum { healthy, full, read_only, broken } fault_t;

#define REAL(result, name, ...)                              \
    typedef result (*name##_t)(__VA_ARGS__);                 \
    static name##_t real_##name(void) {                      \
        static name##_t found;                               \
        if (!found) found = (name##_t)dlsym(RTLD_NEXT, #name); \
        return found;                                        \
    }
REAL(int, open64, const char *, int, ...)
REAL(ssize_t, write, int, const void *, size_t)
REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)
REAL(int, ftruncate64, int, off64_t)
REAL(int, fsync, int)
REAL(int, fdatasync, int)
REAL(int, unlink, const char *)

/// What the switch says now.
static fault_t current_fault(void) {
    const char *path = getenv("DISK_FAULT_SWITCH");
    if (!path) return healthy;
    int before = errno;
    fault_t fault = healthy;
    int descriptor = real_open64()(path, O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        char word[16] = "";
        if (read(descriptor, word, sizeof word - 1) > 0) {
            if (!strcmp(word, "full")) fault = full;
            if (!strcmp(word, "readOnly")) fault = read_only;
            if (!strcmp(word, "broken")) fault = broken;
        }
        close(descriptor);
    }
    errno = before;
    return fault;
}

static int is_below(const char *path) {
    const char *prefix = getenv("DISK_FAULT_PREFIX");
    return path && prefix && !strncmp(path, prefix, strlen(prefix));
}

static int is_met(int descriptor) {
    char link[40], path[PATH_MAX];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int refuse(int number) {
    errno = number;
    return -1;
}

/// Whether a write of bytes up to `end` is refused, which sets errno.
static int is_refused(int descriptor, off64_t end) {
    if (!is_met(descriptor)) return 0;
    struct stat64 status;
    switch (current_fault()) {
        case healthy: return 0;
        case full:
            if (fstat64(descriptor, &status) == 0 && end <= status.st_size) return 0;
            refuse(ENOSPC);
            return 1;
        case read_only: refuse(EROFS); return 1;
        case broken: refuse(EIO); return 1;
    }
    return 0;
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | __O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if ((flags & O_ACCMODE) != O_RDONLY && is_below(path)) {
        fault_t fault = current_fault();
        if (fault == read_only) return refuse(EROFS);
        if (fault == full && flags & O_CREAT && access(path, F_OK) != 0) return refuse(ENOSPC);
    }
    return real_open64()(path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (is_met(descriptor) && is_refused(descriptor, lseek64(descriptor, 0, SEEK_CUR) + (off64_t)count)) return -1;
    return real_write()(descriptor, bytes, count);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    if (is_refused(descriptor, offset + (off64_t)count)) return -1;
    return real_pwrite64()(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

int ftruncate64(int descriptor, off64_t length) {
    if (is_refused(descriptor, length)) return -1;
    return real_ftruncate64()(descriptor, length);
}

int fsync(int descriptor) {
    if (is_met(descriptor) && current_fault() == broken) return refuse(EIO);
    return real_fsync()(descriptor);
}

int fdatasync(int descriptor) {
    if (is_met(descriptor) && current_fault() == broken) return refuse(EIO);
    return real_fdatasync()(descriptor);
}

int unlink(const char *path) {
    if (is_below(path) && current_fault() == read_only) return refuse(EROFS);
    return real_unlink()(path);
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// A power cut for one process: files below a folder lose what was not synced.
//
// Preloaded (LD_PRELOAD) into a program, it lets every call through and remembers, for each file below POWER_CUT_FOLDER,
// what its sectors and its length were at the last fsync, and which changes of a folder (a file that came, went or was
// renamed, a folder that was made) were not made durable by an fsync of that folder. At the cut it rolls back a part of
// that, chosen by POWER_CUT_SEED, and ends the process by SIGKILL, in the midst of the call that met it:
//
// - of each file's changed sectors any may be old or new, and one that was appended may be missing (zeros);
// - the file may have any length between the old and the new one;
// - of a folder's changes the last ones are undone, any number of them: file systems keep their order.
//
// SIGUSR2 orders the cut; it falls on one of the next calls that change or sync something, so that it meets transactions
// at every stage. An fsync takes effect at its end, so a cut within it leaves a part. Nothing is really synced, as the
// machine goes on: the tests are fast for that.
//
// Not modelled: what an earlier process left unsynced, writes through mmap (SQLite uses it for its "-shm" file alone,
// which is rebuilt after a crash), and descriptors made by dup. Whoever meets one of the limits below is told, and ends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    sector_bytes = 512,
    maximum_descriptors = 4096,
    maximum_files = 256,
    maximum_changes = 1024,
    /// The cut falls on one of so many calls after its order.
    furthest_call = 24,
};

/// A file's bytes as they were at its last fsync, where they have changed since.
typedef struct {
    dev_t device;
    ino_t inode;
    bool is_folder;
    char path[PATH_MAX];
    /// The length at the last fsync.
    off_t durable_length;
    /// Old sectors by number; null where nothing changed or where there was none.
    unsigned char **old_sectors;
    /// Whether a sector changed since.
    unsigned char *changed;
    size_t sector_count;
} file_t;

typedef enum { made_file, made_folder, removed_file, renamed_file } change_kind;

/// A change of a folder that an fsync of the folder makes durable.
typedef struct {
    change_kind kind;
    char folder[PATH_MAX];
    char path[PATH_MAX];
    /// The second name of what was removed or replaced, or "".
    char kept[PATH_MAX];
    char target[PATH_MAX];
} change_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static uint64_t chance;
static file_t *files[maximum_files];
static int file_of[maximum_descriptors];
static change_t changes[maximum_changes];
static int change_count;
static unsigned kept_count;
/// Calls until the cut, or -1; set by the signal.
static volatile sig_atomic_t countdown = -1;
static int first_countdown;

#define REAL(result, name, ...) static result (*real_##name)(__VA_ARGS__)
REAL(int, open, const char *, int, ...);
REAL(int, openat, int, const char *, int, ...);
REAL(int, close, int);
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, pwrite64, int, const void *, size_t, off_t);
REAL(ssize_t, writev, int, const struct iovec *, int);
REAL(int, ftruncate64, int, off_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, unlink, const char *);
REAL(int, rename, const char *, const char *);
REAL(int, mkdir, const char *, mode_t);

static void stop(const char *why) {
    dprintf(STDERR_FILENO, "power cut: %s\n", why);
    abort();
}

static void *checked(void *memory) {
    if (!memory) stop("out of memory");
    return memory;
}

static uint64_t draw(uint64_t below) {
    // SplitMix64
    uint64_t z = (chance += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return below ? z % below : 0;
}

static void order(int number) {
    (void)number;
    if (countdown < 0) countdown = first_countdown;
}

static void look_up(void) {
    static bool done;
    if (done) return;
    real_open = dlsym(RTLD_NEXT, "open");
    real_openat = dlsym(RTLD_NEXT, "openat");
    real_close = dlsym(RTLD_NEXT, "close");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite64 = dlsym(RTLD_NEXT, "pwrite64");
    real_writev = dlsym(RTLD_NEXT, "writev");
    real_ftruncate64 = dlsym(RTLD_NEXT, "ftruncate64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_mkdir = dlsym(RTLD_NEXT, "mkdir");
    done = true;
}

__attribute__((constructor)) static void begin(void) {
    look_up();
    for (int i = 0; i < maximum_descriptors; i++) file_of[i] = -1;
    const char *folder = getenv("POWER_CUT_FOLDER");
    if (!folder || !realpath(folder, root)) return;
    root_length = strlen(root);
    const char *seed = getenv("POWER_CUT_SEED");
    chance = seed ? strtoull(seed, NULL, 10) : 0;
    first_countdown = (int)draw(furthest_call);
    struct sigaction action = {.sa_handler = order, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    // Whoever started the process may have blocked it.
    sigset_t orders;
    sigemptyset(&orders);
    sigaddset(&orders, SIGUSR2);
    pthread_sigmask(SIG_UNBLOCK, &orders, NULL);
}

// MARK: Which files

/// The path without links and dots, of a file that need not exist; false where it is not below the folder.
static bool resolve(const char *path, char *resolved) {
    if (!root_length || !path) return false;
    char parent[PATH_MAX];
    if (strlen(path) >= sizeof parent - 1) return false;
    strcpy(parent, path);
    char *slash = strrchr(parent, '/');
    const char *name = slash ? path + (slash - parent) + 1 : path;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        if (!realpath(path, resolved)) return false;
    } else {
        if (slash) slash[slash == parent ? 1 : 0] = 0;
        if (!realpath(slash ? parent : ".", resolved)) return false;
        if (strlen(resolved) + strlen(name) + 2 > PATH_MAX) return false;
        strcat(resolved, "/");
        strcat(resolved, name);
    }
    return !strncmp(resolved, root, root_length) && (resolved[root_length] == '/' || !resolved[root_length]);
}

static bool is_volatile(const char *path) {
    size_t length = strlen(path);
    return length > 4 && !strcmp(path + length - 4, "-shm");
}

static file_t *tracked(int descriptor) {
    if (descriptor < 0 || descriptor >= maximum_descriptors || file_of[descriptor] < 0) return NULL;
    return files[file_of[descriptor]];
}

static void forget(file_t *file) {
    for (size_t i = 0; i < file->sector_count; i++) free(file->old_sectors[i]);
    free(file->old_sectors);
    free(file->changed);
    file->old_sectors = NULL;
    file->changed = NULL;
    file->sector_count = 0;
}

static void track(int descriptor, const char *path) {
    if (descriptor >= maximum_descriptors) stop("too many descriptors");
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    int free_place = -1;
    for (int i = 0; i < maximum_files; i++) {
        if (!files[i]) {
            if (free_place < 0) free_place = i;
        } else if (files[i]->device == status.st_dev && files[i]->inode == status.st_ino) {
            if (strcmp(files[i]->path, path)) {
                // The inode of a file that is gone.
                forget(files[i]);
                strcpy(files[i]->path, path);
                files[i]->durable_length = 0;
            }
            file_of[descriptor] = i;
            return;
        }
    }
    if (free_place < 0) stop("too many files");
    file_t *file = checked(calloc(1, sizeof *file));
    file->device = status.st_dev;
    file->inode = status.st_ino;
    file->is_folder = S_ISDIR(status.st_mode);
    file->durable_length = status.st_size;
    strcpy(file->path, path);
    files[free_place] = file;
    file_of[descriptor] = free_place;
}

/// A file has lost its name: its inode may be another file's soon.
static void disown(const struct stat *status, const char *path) {
    for (int i = 0; i < maximum_files; i++) {
        if (!files[i] || files[i]->inode != status->st_ino || strcmp(files[i]->path, path)) continue;
        forget(files[i]);
        files[i]->inode = 0;
        files[i]->path[0] = 0;
    }
}

static change_t *note(change_kind kind, const char *path) {
    if (change_count == maximum_changes) stop("too many changes of folders without an fsync");
    change_t *change = &changes[change_count++];
    change->kind = kind;
    strcpy(change->path, path);
    strcpy(change->folder, path);
    *strrchr(change->folder, '/') = 0;
    change->kept[0] = change->target[0] = 0;
    return change;
}

/// Gives the file at `path` a second name, by which it can come back.
static void keep(change_t *change, const char *path) {
    snprintf(change->kept, PATH_MAX, "%.3000s/.power-cut-%d-%u", root, getpid(), kept_count++);
    if (link(path, change->kept) != 0) change->kept[0] = 0;
}

// MARK: What changes in a file

/// Keeps the old bytes of the sectors that are about to change, as far as they were durable.
static void before_change(file_t *file, int descriptor, off_t start, off_t end) {
    if (end <= start) return;
    size_t first = (size_t)(start / sector_bytes), last = (size_t)((end - 1) / sector_bytes);
    if (last >= file->sector_count) {
        size_t count = (last + 1) * 2;
        file->old_sectors = checked(realloc(file->old_sectors, count * sizeof *file->old_sectors));
        file->changed = checked(realloc(file->changed, count));
        memset(file->old_sectors + file->sector_count, 0, (count - file->sector_count) * sizeof *file->old_sectors);
        memset(file->changed + file->sector_count, 0, count - file->sector_count);
        file->sector_count = count;
    }
    for (size_t i = first; i <= last; i++) {
        if (file->changed[i]) continue;
        file->changed[i] = 1;
        off_t offset = (off_t)i * sector_bytes;
        if (offset >= file->durable_length) continue;
        file->old_sectors[i] = checked(calloc(1, sector_bytes));
        // The descriptor may be for writing only.
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
        int reading = real_open(name, O_RDONLY | O_CLOEXEC);
        if (reading < 0 || pread(reading, file->old_sectors[i], sector_bytes, offset) < 0) stop("cannot read old bytes");
        real_close(reading);
    }
}

static void make_durable(file_t *file, int descriptor) {
    if (file->is_folder) {
        int left = 0;
        for (int i = 0; i < change_count; i++) {
            if (strcmp(changes[i].folder, file->path)) {
                if (left != i) changes[left] = changes[i];
                left++;
            } else if (changes[i].kept[0]) {
                real_unlink(changes[i].kept);
            }
        }
        change_count = left;
        return;
    }
    forget(file);
    struct stat status;
    if (fstat(descriptor, &status) == 0) file->durable_length = status.st_size;
}

// MARK: The cut

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)place;
    return kind == FTW_DP || kind == FTW_D ? rmdir(path) : real_unlink(path);
}

/// Opens the file by the name it still has; -1 where it is gone.
static int open_for_repair(const file_t *file) {
    int descriptor = real_open(file->path, O_RDWR | O_CLOEXEC);
    struct stat status;
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || status.st_ino != file->inode)) {
        real_close(descriptor);
        return -1;
    }
    return descriptor;
}

static unsigned roll_back_file(const file_t *file) {
    int descriptor = open_for_repair(file);
    if (descriptor < 0) return 0;
    unsigned lost = 0;
    struct stat status;
    fstat(descriptor, &status);
    off_t length = status.st_size, durable = file->durable_length;
    static const unsigned char zeros[sector_bytes];
    // All of it, nothing of it, or any part.
    uint64_t mode = draw(4);
    for (size_t i = 0; i < file->sector_count; i++) {
        if (!file->changed[i] || mode == 0 || (mode != 1 && draw(2))) continue;
        off_t offset = (off_t)i * sector_bytes;
        if (!file->old_sectors[i] && offset >= length) continue;
        const unsigned char *old = file->old_sectors[i] ? file->old_sectors[i] : zeros;
        real_pwrite64(descriptor, old, sector_bytes, offset);
        lost++;
    }
    off_t low = length < durable ? length : durable, high = length < durable ? durable : length;
    off_t end = mode == 0 ? length : mode == 1 ? durable : low + (off_t)draw((uint64_t)(high - low) + 1);
    fstat(descriptor, &status);
    if (status.st_size != end) real_ftruncate64(descriptor, end);
    real_close(descriptor);
    return lost + (end != length);
}

static void undo(const change_t *change) {
    switch (change->kind) {
    case made_file: real_unlink(change->path); break;
    case made_folder: nftw(change->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); break;
    case removed_file:
        if (change->kept[0]) real_rename(change->kept, change->path);
        break;
    case renamed_file:
        real_rename(change->target, change->path);
        if (change->kept[0]) real_rename(change->kept, change->target);
        break;
    }
}

__attribute__((noreturn)) static void cut(void) {
    unsigned lost = 0;
    for (int i = 0; i < maximum_files; i++) {
        if (files[i] && !files[i]->is_folder) lost += roll_back_file(files[i]);
    }
    int stay = (int)draw((uint64_t)change_count + 1);
    for (int i = change_count; i-- > stay;) undo(&changes[i]);
    for (int i = 0; i < change_count; i++) {
        if (changes[i].kept[0]) real_unlink(changes[i].kept);
    }
    dprintf(STDERR_FILENO, "power cut: %u sectors and lengths, %d names lost\n", lost, change_count - stay);
    // Not undone by any handler, nor by what other threads do meanwhile: they wait for the lock.
    while (true) kill(getpid(), SIGKILL);
}

/// Begins a call that changes or syncs something; the lock is held then, until `leave`.
static void enter(void) {
    pthread_mutex_lock(&lock);
    if (countdown > 0) countdown = countdown - 1;
    else if (countdown == 0) cut();
}

static void leave(void) {
    int number = errno;
    pthread_mutex_unlock(&lock);
    errno = number;
}

// MARK: The calls

static int open_tracked(int folder, const char *path, int flags, mode_t mode) {
    look_up();
    char resolved[PATH_MAX];
    bool is_ours = (folder == AT_FDCWD || (path && path[0] == '/')) && resolve(path, resolved) && !is_volatile(resolved);
    if (!is_ours) return real_openat(folder, path, flags, mode);
    enter();
    struct stat status;
    bool is_there = stat(resolved, &status) == 0;
    int descriptor = real_openat(folder, path, flags & ~O_TRUNC, mode);
    if (descriptor >= 0) {
        track(descriptor, resolved);
        file_t *file = tracked(descriptor);
        if (file && !is_there) note(made_file, resolved);
        if (file && is_there && (flags & O_TRUNC)) {
            before_change(file, descriptor, 0, status.st_size);
            real_ftruncate64(descriptor, 0);
        }
    }
    leave();
    return descriptor;
}

#define MODE_OF(flags)                                   \
    mode_t mode = 0;                                     \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {             \
        va_list arguments;                               \
        va_start(arguments, flags);                      \
        mode = va_arg(arguments, mode_t);                \
        va_end(arguments);                               \
    }

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_tracked(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_tracked(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_tracked(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_tracked(folder, path, flags | O_LARGEFILE, mode);
}

int close(int descriptor) {
    look_up();
    if (!tracked(descriptor)) return real_close(descriptor);
    pthread_mutex_lock(&lock);
    file_of[descriptor] = -1;
    int result = real_close(descriptor);
    leave();
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    look_up();
    file_t *file = tracked(descriptor);
    if (!file) return real_pwrite64(descriptor, bytes, count, offset);
    enter();
    before_change(file, descriptor, offset, offset + (off_t)count);
    ssize_t result = real_pwrite64(descriptor, bytes, count, offset);
    leave();
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

/// Where a write without an offset goes.
static off_t position(int descriptor) {
    struct stat status;
    bool appends = (fcntl(descriptor, F_GETFL) & O_APPEND) && fstat(descriptor, &status) == 0;
    return appends ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    look_up();
    file_t *file = tracked(descriptor);
    if (!file) return real_write(descriptor, bytes, count);
    enter();
    off_t offset = position(descriptor);
    before_change(file, descriptor, offset, offset + (off_t)count);
    ssize_t result = real_write(descriptor, bytes, count);
    leave();
    return result;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    look_up();
    file_t *file = tracked(descriptor);
    if (!file) return real_writev(descriptor, parts, count);
    enter();
    off_t offset = position(descriptor), end = offset;
    for (int i = 0; i < count; i++) end += (off_t)parts[i].iov_len;
    before_change(file, descriptor, offset, end);
    ssize_t result = real_writev(descriptor, parts, count);
    leave();
    return result;
}

int ftruncate64(int descriptor, off_t length) {
    look_up();
    file_t *file = tracked(descriptor);
    if (!file) return real_ftruncate64(descriptor, length);
    enter();
    struct stat status;
    if (fstat(descriptor, &status) == 0) before_change(file, descriptor, length, status.st_size);
    int result = real_ftruncate64(descriptor, length);
    leave();
    return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int sync_tracked(file_t *file, int descriptor) {
    // Once before it takes effect, once after: the caller has not heard of it yet.
    enter();
    leave();
    enter();
    make_durable(file, descriptor);
    leave();
    return 0;
}

int fsync(int descriptor) {
    look_up();
    file_t *file = tracked(descriptor);
    return file ? sync_tracked(file, descriptor) : real_fsync(descriptor);
}

int fdatasync(int descriptor) {
    look_up();
    file_t *file = tracked(descriptor);
    return file ? sync_tracked(file, descriptor) : real_fdatasync(descriptor);
}

int unlink(const char *path) {
    look_up();
    char resolved[PATH_MAX];
    if (!resolve(path, resolved) || is_volatile(resolved)) return real_unlink(path);
    enter();
    struct stat status;
    int result;
    if (lstat(resolved, &status) == 0) {
        change_t *change = note(removed_file, resolved);
        keep(change, resolved);
        result = real_unlink(path);
        if (result != 0) {
            if (change->kept[0]) real_unlink(change->kept);
            change_count--;
        } else {
            disown(&status, resolved);
        }
    } else {
        result = real_unlink(path);
    }
    leave();
    return result;
}

int rename(const char *from, const char *to) {
    look_up();
    char source[PATH_MAX], target[PATH_MAX];
    if (!resolve(from, source) || !resolve(to, target)) return real_rename(from, to);
    enter();
    change_t *change = note(renamed_file, source);
    strcpy(change->target, target);
    keep(change, target);
    int result = real_rename(from, to);
    if (result == 0) {
        for (int i = 0; i < maximum_files; i++) {
            if (files[i] && !strcmp(files[i]->path, source)) strcpy(files[i]->path, target);
        }
    } else {
        if (change->kept[0]) real_unlink(change->kept);
        change_count--;
    }
    leave();
    return result;
}

int mkdir(const char *path, mode_t mode) {
    look_up();
    char resolved[PATH_MAX];
    if (!resolve(path, resolved)) return real_mkdir(path, mode);
    enter();
    int result = real_mkdir(path, mode);
    if (result == 0) note(made_folder, resolved);
    leave();
    return result;
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

#if THREAD_SANITIZER
private import Glibc

/// A POSIX mutex, which ThreadSanitizer intercepts.
// Safe: the pointer never changes, and any thread may use the mutex behind it.
@usableFromInline final class VisibleLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
#endif

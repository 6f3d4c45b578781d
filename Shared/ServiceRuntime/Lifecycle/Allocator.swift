// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CGlibc

/// The settings of the process's memory allocator (glibc).
public enum Allocator {
    /// The minimum size of a block that the allocator maps separately: 128 KiB.
    ///
    /// Such a block is returned to the system as soon as it is freed.
    private static let largeBlock: Int32 = 128 << 10
    /// The maximum amount of free memory that the allocator keeps at the end of the heap: 1 MiB.
    private static let keptFree: Int32 = 1 << 20

    /// Makes the allocator return large blocks to the system when they are freed.
    ///
    /// This is for services that need large blocks rarely and for a short time. Without this call, the allocator adapts
    /// `M_MMAP_THRESHOLD` and `M_TRIM_THRESHOLD` to the sizes of freed blocks, and raises them up to 32 MiB and 64 MiB
    /// (mallopt(3)).
    public static func returnLargeBlocks() {
        // Each call returns 1 on success; there is nothing to do about a failure.
        mallopt(M_MMAP_THRESHOLD, largeBlock)
        mallopt(M_TRIM_THRESHOLD, keptFree)
    }

    /// Makes all threads use one heap.
    ///
    /// This is for services in which one thread does most of the work. Without this call, each thread has its own heap,
    /// and memory that one thread has freed is not used by the others. Must be called before another thread starts.
    public static func shareOneHeap() { mallopt(M_ARENA_MAX, 1) }

    /// Returns free memory to the system (malloc_trim(3)); takes some milliseconds.
    public static func returnFreeMemory() {
        // The result only tells whether any memory was returned.
        _ = malloc_trim(0)
    }
}

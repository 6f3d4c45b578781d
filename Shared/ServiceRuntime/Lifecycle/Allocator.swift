// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CMalloc

/// The process's memory allocator, glibc's.
public enum Allocator {
    /// Blocks of so many bytes, 128 KiB, come from the system and go back to it.
    private static let largeBlock: Int32 = 128 << 10
    /// The number of free bytes at the end of the heap that are kept: 1 MiB.
    private static let keptFree: Int32 = 1 << 20

    /// Has large blocks given back to the system when they are freed, for a service that needs some of them now and then
    /// for a moment.
    ///
    /// Left alone, the allocator raises both limits with the blocks that it sees, up to 32 and 64 MiB (mallopt(3)).
    public static func returnLargeBlocks() {
        // Each is 1 for done; there is nothing to do about the other.
        mallopt(M_MMAP_THRESHOLD, largeBlock)
        mallopt(M_TRIM_THRESHOLD, keptFree)
    }
}

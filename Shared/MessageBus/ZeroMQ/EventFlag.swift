// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CZeroMQ
internal import Glibc

/// A flag that any thread can raise to wake a polling thread; it is an eventfd.
package final class EventFlag: Sendable {
    let descriptor: Int32

    package init() throws(ZeroMQError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw ZeroMQError(call: "eventfd", code: errno, place: "eventfd") }
    }

    deinit {
        close(descriptor)
    }

    package func raise() {
        var one: UInt64 = 1
        // The only possible failure is a full counter, and then the thread wakes anyway.
        while write(descriptor, &one, MemoryLayout<UInt64>.size) == -1 && errno == EINTR {}
    }

    package func lower() {
        var count: UInt64 = 0
        while read(descriptor, &count, MemoryLayout<UInt64>.size) == -1 && errno == EINTR {}
    }
}

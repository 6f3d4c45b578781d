// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// Immutable bytes at a fixed address, which any number of responses share without a copy.
package final class SharedBytes: Sendable {
    // Safe: written in the initializer only, and freed with the object.
    nonisolated(unsafe) private let storage: UnsafeMutableRawBufferPointer

    package init(_ bytes: some DataProtocol) {
        storage = .allocate(byteCount: max(1, bytes.count), alignment: 1)
        bytes.copyBytes(to: storage)
        count = bytes.count
    }

    package let count: Int

    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    package var data: Data { Data(bytes) }

    deinit { storage.deallocate() }
}

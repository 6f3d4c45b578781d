// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

extension String {
    /// Returns the result of `body` for the text's bytes in UTF-8.
    ///
    /// Unlike `withUTF8`, the method does not need a mutable copy, which would retain the string. The pointer is valid
    /// only during the call.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether other bytes begin with these bytes.
    func isPrefix(of other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count <= other.count else { return false }
        guard let own = baseAddress, let start = other.baseAddress else { return true }
        return memcmp(own, start, count) == 0
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing

/// Fuzzes dates.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let date = FeedDate.parse(text) else { return 0 }
    // A parsed date can be written and read again.
    precondition(
        FeedDate.parse(date.description) == date || date.description.hasPrefix("-")
            || date.description.hasPrefix("0000") || date.description.hasPrefix("10000")
    )
    return 0
}

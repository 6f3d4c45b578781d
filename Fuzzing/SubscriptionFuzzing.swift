// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing

/// Fuzzes lists of subscriptions (OPML).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let list = try? SourceParser.parseFeedList(bytes)
    precondition(list?.entries.allSatisfy { !$0.feedURL.isEmpty && $0.line > 0 } ?? true)
    return 0
}

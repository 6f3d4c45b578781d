// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing

/// Fuzzes the conversion of HTML to plain text, and its shortening.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    for markup in [MarkedText.Markup.html, .plain] {
        let whole = MarkedText(text, markup).plain()
        precondition(!whole.contains("  ") && !whole.hasPrefix(" ") && !whole.hasSuffix(" "))
        let start = MarkedText(text, markup).plain(limit: 20)
        precondition(whole.unicodeScalars.starts(with: start.unicodeScalars))
        precondition(start == whole || start.count > 20 || start.unicodeScalars.count > 160)
    }
    return 0
}

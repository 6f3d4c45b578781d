// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing

/// Fuzzes feeds whose encoding is in the answer's header; the first byte selects it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let charsets = [
        "utf-8", "iso-8859-1", "utf-16", "gb2312", "shift_jis", "iso-2022-jp", "euc-kr", "koi8-r", "utf-7", "x",
    ]
    guard count > 0 else { return 0 }
    let type = "application/xml; charset=" + charsets[Int(start[0]) % charsets.count]
    let bytes = Data(UnsafeBufferPointer(start: start + 1, count: count - 1))
    _ = try? SourceParser.parseFeed(SourceBody(bytes, contentType: type, documentURL: ""))
    return 0
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing

/// Fuzzes the search for feeds that web pages announce.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let page = Data(UnsafeBufferPointer(start: start, count: count))
    let links = FeedLinks.find(in: page, documentURL: "https://fuzzing.example/")
    precondition(links.allSatisfy { $0.lowercased().hasPrefix("http") })
    return 0
}

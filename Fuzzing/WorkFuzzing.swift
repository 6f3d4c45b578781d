// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// Fuzzes documents parsed as each kind.
///
/// Checks that the number of steps is proportional to the size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    // Names, look-ahead and conversions read a byte several times; superlinear work exceeds any constant factor.
    let stepsPerByte = 64
    let freeSteps = 4096
    for kind in WidgetKind.allCases {
        let work = ParsingWork()
        let parsing = Parsing(kind: kind)
        _ = try? SourceParser.read(
            SourceBody(bytes, contentType: nil, documentURL: "https://a.example/"),
            parsing: parsing,
            work: work
        )
        precondition(!work.isExhausted, "\(kind) used up its processor time with \(count) bytes")
        precondition(
            work.steps <= freeSteps + stepsPerByte * count,
            "\(kind) took \(work.steps) steps for \(count) bytes"
        )
    }
    return 0
}

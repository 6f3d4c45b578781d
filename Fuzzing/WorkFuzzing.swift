// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// Any document, read as each kind: the steps that it takes stay in proportion to its bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    // Names, look-ahead and conversions look at a byte several times; a superlinear step goes beyond any such number.
    let stepsPerByte = 64
    let freeSteps = 4096
    for kind in WidgetKind.allCases {
        let work = ParsingWork()
        let parsing = Parsing(kind: kind)
        _ = try? SourceParser.read(
            bytes,
            parsing: parsing,
            contentType: nil,
            documentURL: "https://a.example/",
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

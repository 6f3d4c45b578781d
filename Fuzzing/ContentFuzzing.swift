// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// Every other kind of content: the first byte chooses the kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let kinds = WidgetKind.allCases
    let parsing = Parsing(kind: kinds[Int(start[0]) % kinds.count])
    let bytes = Data(UnsafeBufferPointer(start: start + 1, count: count - 1))
    _ = try? SourceParser.parse(bytes, parsing: parsing, contentType: nil, documentURL: "https://fuzzing.example/")
    return 0
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

private let parsings: [Parsing] = [
    Parsing(kind: .feed),
    Parsing(kind: .keyValue),
    Parsing(kind: .keyValue, options: ["value.000": "Name=/a/0", "value.001": "Other=/b"]),
    Parsing(kind: .forecast),
    Parsing(kind: .forecast, options: ["timeZone": "Asia/Kathmandu"]),
    Parsing(kind: .quote),
    Parsing(kind: .documents),
    Parsing(kind: .json, options: ["list": "/items", "title": "/title"]),
    Parsing(
        kind: .json,
        options: [
            "list": "", "title": "/a", "titleFormat": "decimal", "subtitle": "/b", "subtitleFormat": "bytes",
            "link": "/c",
            "date": "/d", "id": "/e",
        ]
    ),
]

/// Fuzzes every kind of content; the first byte selects the kind and its options.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let parsing = parsings[Int(start[0]) % parsings.count]
    let bytes = Data(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let body = SourceBody(
        bytes,
        contentType: nil,
        documentURL: "https://fuzzing.example/",
        received: Instant(milliseconds: 1_795_222_156_000)
    )
    _ = try? SourceParser.parse(body, parsing: parsing)
    _ = try? PushedDocument.read(body, parsing: parsing)
    return 0
}

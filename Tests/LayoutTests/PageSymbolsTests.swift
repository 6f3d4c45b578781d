// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import Testing
import WidgetSchema

@testable import LayoutEngine

/// The gateway's page draws the same symbols as the pictures, from a file of path data.
///
/// After a change of a symbol, `make symbols` writes the file again.
@Suite struct PageSymbolsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let file = root.appending(path: "Services/Gateway/Page/Files/symbols.js")

    @Test func thePageHasEverySymbolOfThePicturesWithTheSamePaths() throws {
        let lines = try SymbolCatalog.names.map { name in
            let art = try #require(SymbolArt.known(name), "\(name) has no art.")
            return "  \"\(name)\": \(Self.entry(art)),\n"
        }
        let text = """
            // SPDX-License-Identifier: MIT
            // Copyright (c) 2026 the Tidings authors
            // Path data of the symbols: filled areas, then stroked lines. Recorded by PageSymbolsTests.

            export const side = \(Self.number(SymbolArt.side));
            export const lineWidth = \(Self.number(SymbolArt.lineWidth));
            export const unknown = \(Self.entry(SymbolArt.unknown));
            export const symbols = {
            \(lines.joined())};

            """
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN_FILES"] == "1" {
            try Data(text.utf8).write(to: Self.file)
        }
        #expect(try String(decoding: Data(contentsOf: Self.file), as: UTF8.self) == text)
    }

    private static func entry(_ art: SymbolArt) -> String {
        "[\"\(art.areas.data(number))\", \"\(art.lines.data(number))\"]"
    }

    /// Hundredths of the symbol's unit: a twentieth of a pixel at the largest size.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100 + 0
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

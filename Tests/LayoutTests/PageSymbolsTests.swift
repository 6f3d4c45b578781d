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

    /// The file's unit, in units of the symbols: a twentieth of a pixel at the largest size.
    private static let unit = 0.01

    private static func entry(_ art: SymbolArt) -> String { "[\"\(data(art.areas))\", \"\(data(art.lines))\"]" }

    private static func number(_ value: Double) -> Int { Int((value / unit).rounded()) }

    /// Path data in whole numbers, with coordinates relative to the point before: a third shorter than absolute ones.
    private static func data(_ path: VectorPath) -> String {
        var (start, current) = ((x: 0, y: 0), (x: 0, y: 0))
        func relative(_ command: String, _ points: [VectorPath.Point]) -> String {
            let numbers = points.flatMap { [number($0.x) - current.x, number($0.y) - current.y] }
            if let end = points.last { current = (number(end.x), number(end.y)) }
            return command + numbers.map(String.init).joined(separator: " ").replacing(" -", with: "-")
        }
        return path.segments.map { segment in
            switch segment {
            case .move(let point):
                defer { start = current }
                return relative("m", [point])
            case .line(let point): return relative("l", [point])
            case .curve(let first, let second, let end): return relative("c", [first, second, end])
            case .close:
                current = start
                return "z"
            }
        }.joined()
    }
}

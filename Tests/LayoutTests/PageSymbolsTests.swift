// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
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

    /// Returns path data in whole numbers, in its shortest form without loss.
    ///
    /// It has relative coordinates, smooth curves if the control points mirror each other, and no repeated commands.
    private static func data(_ path: VectorPath) -> String {
        var (start, current) = ((x: 0, y: 0), (x: 0, y: 0))
        var result = ""
        var command = ""
        /// The first control point of a smooth curve, relative to the current point; nil after everything but a curve.
        var mirrored: (x: Int, y: Int)?

        func add(_ next: String, _ points: [(x: Int, y: Int)]) { add(next, points.flatMap { [$0.x, $0.y] }) }
        func add(_ next: String, _ numbers: [Int]) {
            let text = numbers.map(String.init).joined(separator: " ").replacing(" -", with: "-")
            // A line follows a move without a command.
            let isImplied = next == command || next == "l" && command == "m"
            result += isImplied ? (text.hasPrefix("-") ? text : " " + text) : next + text
            command = next
        }
        func relative(_ point: VectorPath.Point) -> (x: Int, y: Int) {
            (number(point.x) - current.x, number(point.y) - current.y)
        }
        func advance(by delta: (x: Int, y: Int)) { current = (current.x + delta.x, current.y + delta.y) }

        for segment in path.segments {
            switch segment {
            case .move(let point):
                let delta = relative(point)
                // Two moves in a row would be a line.
                command = ""
                add("m", [delta])
                advance(by: delta)
                (start, mirrored) = (current, nil)
            case .line(let point):
                let delta = relative(point)
                // The dot of a round line's end is a line of no length.
                if delta == (0, 0), command != "m" { continue }
                if delta.y == 0, delta.x != 0 {
                    add("h", [delta.x])
                } else if delta.x == 0, delta.y != 0 {
                    add("v", [delta.y])
                } else {
                    add("l", [delta])
                }
                advance(by: delta)
                mirrored = nil
            case .curve(let first, let second, let end):
                let (first, second, end) = (relative(first), relative(second), relative(end))
                if let mirrored, mirrored == first { add("s", [second, end]) } else { add("c", [first, second, end]) }
                advance(by: end)
                mirrored = (end.x - second.x, end.y - second.y)
            case .close:
                result += "z"
                (current, command, mirrored) = (start, "z", nil)
            }
        }
        return result
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import Testing

@testable import LayoutEngine

/// The gateway's page draws the same symbols as the pictures, from a file of path data.
///
/// After a change of a symbol, `RECORD_GOLDEN_FILES=1 swift test --filter PageSymbolsTests` writes the file again.
@Suite struct PageSymbolsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let file = root.appending(path: "Services/Gateway/Page/Files/symbols.js")
    private static let sources = root.appending(path: "Shared/LayoutEngine/Rendering")

    @Test func thePageHasEverySymbolOfThePicturesWithTheSamePaths() throws {
        let names = try Self.names()
        #expect(names.count > 50)
        let lines = try names.map { name in
            let art = try #require(SymbolArt.known(name), "\(name) has no art.")
            return "  \"\(name)\": [\"\(Self.path(art.areas))\", \"\(Self.path(art.lines))\"],\n"
        }
        let unknown = SymbolArt.unknown
        let text = """
            // SPDX-License-Identifier: MIT
            // Copyright (c) 2026 the Tidings authors
            // Path data of the symbols: filled areas, then stroked lines. Recorded by PageSymbolsTests.

            export const side = \(Self.number(SymbolArt.side));
            export const lineWidth = \(Self.number(SymbolArt.lineWidth));
            export const unknown = ["\(Self.path(unknown.areas))", "\(Self.path(unknown.lines))"];
            export const symbols = {
            \(lines.joined())};

            """
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN_FILES"] == "1" {
            try Data(text.utf8).write(to: Self.file)
        }
        #expect(try String(decoding: Data(contentsOf: Self.file), as: UTF8.self) == text)
    }

    /// The names that the sources distinguish, sorted.
    private static func names() throws -> [String] {
        var names: Set<String> = []
        for file in ["SymbolArt+Things.swift", "SymbolArt+Weather.swift"] {
            let source = try String(decoding: Data(contentsOf: sources.appending(path: file)), as: UTF8.self)
            for line in source.split(separator: "\n") {
                let line = line.drop { $0 == " " }
                guard line.hasPrefix("case \"") else { continue }
                names.formUnion(
                    line.split(separator: "\"").filter { !$0.contains { " ,:".contains($0) } }.map(String.init)
                )
            }
        }
        return names.sorted()
    }

    private static func path(_ paths: [VectorPath]) -> String {
        paths.flatMap(\.segments).map { segment in
            switch segment {
            case .move(let point): "M" + pair(point)
            case .line(let point): "L" + pair(point)
            case .curve(let first, let second, let end): "C" + [first, second, end].map(pair).joined(separator: " ")
            case .close: "Z"
            }
        }.joined()
    }

    private static func pair(_ point: VectorPath.Point) -> String { "\(number(point.x)) \(number(point.y))" }

    /// Hundredths of the symbol's unit: a twentieth of a pixel at the largest size.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100 + 0
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

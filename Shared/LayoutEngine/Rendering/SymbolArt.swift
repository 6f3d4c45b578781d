// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A symbol in one colour: lines and areas in a square of 24 units, with a margin of 2 units.
///
/// The symbols were drawn for this project, because the licence of Apple's own symbols allows them only on Apple's
/// platforms.
struct SymbolArt: Hashable, Sendable {
    static let side = 24.0
    /// The width of the lines in units; ends and corners are round.
    static let lineWidth = 1.7

    var lines = VectorPath()
    var areas = VectorPath()

    /// Returns the symbol for a name.
    ///
    /// A variant without a symbol of its own gets the symbol of its base name: `folder.badge.plus` gets the symbol
    /// `folder`. An unknown name gets a square with a dot.
    static func named(_ name: String) -> SymbolArt {
        var parts = name.split(separator: ".")
        while !parts.isEmpty {
            if let art = known(parts.joined(separator: ".")) { return art }
            parts.removeLast()
        }
        return unknown
    }

    static let unknown = SymbolArt(
        lines: .box(Rectangle(x: 4, y: 4, width: 16, height: 16), radius: 4),
        areas: .box(Rectangle(x: 10, y: 10, width: 4, height: 4), radius: 2)
    )

    /// Returns the symbol with exactly this name; nil if there is none.
    static func known(_ name: String) -> SymbolArt? { all[name] }

    /// The symbols of ``table`` by name.
    static let all = read(table)

    /// Parses a table of symbols in the format of ``table``; skips invalid path data.
    static func read(_ table: String) -> [String: SymbolArt] {
        var all: [String: SymbolArt] = [:]
        var name = ""
        var isArea = false
        for line in table.split(separator: "\n") {
            guard line.first == " " else {
                name = String(line)
                all[name] = SymbolArt()
                continue
            }
            var data = line.drop { $0 == " " }
            if let word = ["fill ", "line "].first(where: data.hasPrefix) {
                isArea = word == "fill "
                data = data.dropFirst(word.count)
            }
            guard let path = VectorPath(data: data) else { continue }
            if isArea {
                all[name]?.areas.append(path)
            } else {
                all[name]?.lines.append(path)
            }
        }
        return all
    }
}

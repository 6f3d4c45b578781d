// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A symbol as lines and areas in a square of 24 units, 2 of which are its margin; one colour, and as sharp at every size.
///
/// Drawn for this project: Apple's own symbols may be drawn on its platforms alone, and a client there has them.
struct SymbolArt: Hashable, Sendable {
    static let side = 24.0
    /// Of its lines, whose ends and corners are round.
    static let lineWidth = 1.7

    var lines: [VectorPath] = []
    var areas: [VectorPath] = []

    init(lines: [VectorPath] = [], areas: [VectorPath] = []) {
        self.lines = lines
        self.areas = areas
    }

    /// Returns the symbol of a name.
    ///
    /// A variant without an art of its own looks like what it is a variant of, `folder.badge.plus` like `folder`; a name
    /// that nobody knows has a square with a dot in it.
    static func named(_ name: String) -> SymbolArt {
        var parts = name.split(separator: ".")
        while !parts.isEmpty {
            if let art = known(parts.joined(separator: ".")) { return art }
            parts.removeLast()
        }
        return unknown
    }

    static let unknown = SymbolArt(lines: [.box(4, 4, 16, 16, radius: 4)], areas: [.circle(12, 12, 2)])

    /// By the name that Apple's platforms have for such a symbol; nil where there is no art of exactly that name.
    static func known(_ name: String) -> SymbolArt? { weather(name) ?? thing(name) }

    static func + (first: SymbolArt, second: SymbolArt) -> SymbolArt {
        SymbolArt(lines: first.lines + second.lines, areas: first.areas + second.areas)
    }
}

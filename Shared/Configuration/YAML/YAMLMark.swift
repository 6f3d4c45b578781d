// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A place in a file; lines and columns count from 1.
public struct YAMLMark: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var line: Int
    /// The column in characters, not bytes.
    public var column: Int

    /// The place for errors about the file as a whole; this place sorts before all other places.
    static let beforeAll = YAMLMark(line: 0, column: 0)

    public var description: String { "\(line):\(column)" }

    public static func < (left: YAMLMark, right: YAMLMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

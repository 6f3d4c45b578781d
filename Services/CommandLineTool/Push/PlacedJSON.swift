// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A JSON value with the place where it begins, so that a fault in it can be shown.
struct PlacedJSON: Hashable, Sendable {
    /// Counted from 1; columns in characters.
    struct Mark: Hashable, Comparable, Sendable, CustomStringConvertible {
        var line: Int
        var column: Int

        var description: String { "\(line):\(column)" }

        static func < (left: Mark, right: Mark) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    struct Member: Hashable, Sendable {
        var name: String
        var mark: Mark
        var value: PlacedJSON
    }

    indirect enum Value: Hashable, Sendable {
        case null
        case boolean(Bool)
        /// As written.
        case number(String)
        case string(String)
        case array([PlacedJSON])
        /// In the order of the text, repetitions included.
        case object([Member])
    }

    var value: Value
    var mark: Mark

    /// What it is, for a message: `a string`.
    var kind: String {
        switch value {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

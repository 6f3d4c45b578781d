// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A JSON value with its place, so that errors can name it.
struct PlacedJSON: Hashable, Sendable {
    /// A place; line and column count from 1, the column in characters.
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
        /// The digits, unchanged.
        case number(String)
        case string(String)
        case array([PlacedJSON])
        /// The members in the order of the text, including repetitions.
        case object([Member])
    }

    var value: Value
    var mark: Mark

    /// The kind of the value for an error, such as `a string`.
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

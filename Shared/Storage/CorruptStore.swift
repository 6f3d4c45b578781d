// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The error for a column of a store that contains an invalid value, for example because another program wrote it.
public struct CorruptStore: Error, CustomStringConvertible {
    /// The table and the column, such as `cycles.event`.
    public var column: String
    /// A description of the invalid value; nil if there is nothing to say about it.
    public var problem: String?

    public init(column: String, problem: String? = nil) {
        self.column = column
        self.problem = problem
    }

    public var description: String {
        "the column \(column) of the store contains an invalid value" + (problem.map { ": \($0)" } ?? "")
    }
}

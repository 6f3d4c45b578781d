// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// All errors in a pushed document, ordered by line and column.
///
/// The message of each one begins with the path of the invalid value, such as `items[2].link: …`.
public struct DocumentFaults: Error, Hashable, Sendable {
    public var faults: [ParsingError]

    init(_ faults: [ParsingError]) {
        self.faults = faults.sorted {
            ($0.line ?? 0, $0.column ?? 0, $0.message) < ($1.line ?? 0, $1.column ?? 0, $1.message)
        }
    }

    /// The same errors without lines and columns.
    var withoutPlaces: DocumentFaults { DocumentFaults(faults.map { ParsingError($0.kind, $0.message) }) }

    /// Returns one line for each error: `NAME:LINE:COLUMN: MESSAGE`; without `NAME:` if the name is empty.
    public func text(name: String) -> String { faults.map { $0.text(name: name) }.joined(separator: "\n") }
}

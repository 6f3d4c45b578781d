// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// One error in a pushed document.
public struct DocumentFault: Error, Hashable, Comparable, Sendable {
    /// The line of the error, counted from 1; nil if it is unknown.
    public var line: Int?
    /// The column of the error, counted from 1 in Unicode scalars; nil if it is unknown.
    public var column: Int?
    /// The description of the error, which begins with the path of the invalid value, such as `items[2].link: …`.
    public var message: String

    init(_ place: JSONPlace, _ message: String) {
        line = place.line
        column = place.column
        self.message = message
    }

    init(_ error: ParsingError) {
        line = error.line
        column = error.column
        message = error.message
    }

    public static func < (left: DocumentFault, right: DocumentFault) -> Bool {
        (left.line ?? 0, left.column ?? 0, left.message) < (right.line ?? 0, right.column ?? 0, right.message)
    }
}

/// All errors in a pushed document, ordered by line and column.
public struct DocumentFaults: Error, Hashable, Sendable {
    public var faults: [DocumentFault]

    init(_ faults: [DocumentFault]) { self.faults = faults }

    /// The same errors without lines and columns.
    var withoutPlaces: DocumentFaults {
        DocumentFaults(
            faults.map { fault in
                var fault = fault
                (fault.line, fault.column) = (nil, nil)
                return fault
            }
        )
    }

    /// Returns one line for each error: `NAME:LINE:COLUMN: MESSAGE`; without `NAME:` if the name is empty.
    public func text(name: String) -> String {
        faults.map { fault in
            ParsingError(
                kind: .wrongFormat,
                message: fault.message,
                documentURL: name,
                line: fault.line,
                column: fault.column
            ).description
        }.joined(separator: "\n")
    }
}

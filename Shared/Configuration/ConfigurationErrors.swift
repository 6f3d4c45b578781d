// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One error in a configuration, with its place and the remedy.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of an error: a file, with the line and column if they are known, or an environment variable.
    public enum Place: Sendable, Hashable {
        case file(String, YAMLMark?)
        case variable(String)
    }

    public var place: Place
    public var message: String

    /// A Boolean value that indicates whether the error concerns a whole file or folder, such as an unreadable file.
    public var isUnreadableFile: Bool { if case .file(_, nil) = place { true } else { false } }

    public init(_ place: Place, _ message: String) {
        self.place = place
        self.message = message
    }

    /// The error as text: `FILE:LINE:COLUMN: MESSAGE`, `FILE: MESSAGE` if the line is not known, or
    /// `VARIABLE: MESSAGE`.
    public var description: String {
        switch place {
        case .file(let path, let mark?): "\(path):\(mark): \(message)"
        case .file(let path, nil): "\(path): \(message)"
        case .variable(let name): "\(name): \(message)"
        }
    }
}

/// All errors in a configuration.
public struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// The errors in files, followed by the errors in environment variables.
    ///
    /// The errors in files are sorted by line and column, not by file; errors without a line come first. The errors in
    /// environment variables are sorted by name.
    public let errors: [ConfigurationError]

    public init(_ errors: [ConfigurationError]) {
        self.errors = errors.sorted { left, right in
            switch (left.place, right.place) {
            case (.file(_, let leftMark), .file(_, let rightMark)):
                (leftMark ?? .beforeAll, left.message) < (rightMark ?? .beforeAll, right.message)
            case (.file, .variable): true
            case (.variable, .file): false
            case (.variable(let leftName), .variable(let rightName)):
                (leftName, left.message) < (rightName, right.message)
            }
        }
    }

    /// The errors as text, with one line for each.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}

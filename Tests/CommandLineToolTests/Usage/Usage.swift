// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// One way to call `tidings`, with all that it must answer.
struct Usage: Sendable, CustomTestStringConvertible {
    /// The expected text on standard output or standard error.
    enum Text: Sendable {
        case empty
        case exactly(String)
        case contains([String])
        case anything

        func matches(_ text: String) -> Bool {
            switch self {
            case .empty: text.isEmpty
            case .exactly(let expected): text == expected
            case .contains(let parts): parts.allSatisfy(text.contains)
            case .anything: true
            }
        }
    }

    var arguments: [String]
    var input: String
    var environment: [String: String]
    var status: Int32
    var output: Text
    var errors: Text

    init(
        _ arguments: [String],
        input: String = "",
        with environment: [String: String] = [:],
        _ status: Int32,
        output: Text,
        errors: Text
    ) {
        self.arguments = arguments
        self.input = input
        self.environment = environment
        self.status = status
        self.output = output
        self.errors = errors
    }

    /// Returns a call that succeeds and writes nothing to standard error; its words are separated by spaces.
    static func right(
        _ line: String,
        input: String = "",
        with environment: [String: String] = [:],
        _ output: String...
    ) -> Usage {
        let output: Text = output.isEmpty ? .anything : .contains(output)
        return Usage(words(line), input: input, with: environment, 0, output: output, errors: .empty)
    }

    /// Returns a call that succeeds with warnings on standard error.
    static func warned(
        _ line: String,
        with environment: [String: String] = [:],
        _ output: String,
        _ errors: String...
    ) -> Usage { Usage(words(line), with: environment, 0, output: .contains([output]), errors: .contains(errors)) }

    /// Returns a call that fails and writes nothing to standard output.
    static func wrong(
        _ line: String,
        input: String = "",
        with environment: [String: String] = [:],
        _ status: Int32 = 2,
        _ errors: String...
    ) -> Usage {
        Usage(words(line), input: input, with: environment, status, output: .empty, errors: .contains(errors))
    }

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    var testDescription: String { "tidings \(arguments.joined(separator: " "))" }

    /// Checks what a call gave.
    func expect(_ run: CommandRun, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(run.status == status, "\(testDescription): \(run.errors)", sourceLocation: sourceLocation)
        #expect(output.matches(run.output), "\(testDescription): \(run.output)", sourceLocation: sourceLocation)
        #expect(errors.matches(run.errors), "\(testDescription): \(run.errors)", sourceLocation: sourceLocation)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The failure of a command: its exit status and an error message for the user.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
    var status: CommandStatus
    /// The message for the user: the problem, its place and the remedy.
    var message: String
    /// The code of a service's error; nil for other failures.
    private(set) var code: RequestError.Code?

    init(_ status: CommandStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Creates the failure for a service's error answer.
    init(_ error: RequestError) {
        switch error.code {
        case .unavailable, .timedOut: self.init(.unreachable, error.message)
        case .malformed, .unknownRequest: self.init(.wrongUse, error.message)
        case .notFound, .refused, .reused, .failed: self.init(.no, error.message)
        }
        code = error.code
    }

    var description: String { message }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
internal import Locking

extension Process {
    private static let starting = Lock(())

    /// Starts the process; tests call it instead of `run`.
    ///
    /// Foundation on Linux notices the end of a child when a socket is closed that the child inherits. If two threads
    /// call `run` at the same time, one child can inherit the socket of the other, and the end of the other is noticed
    /// only after both have ended. Therefore, one process is started at a time.
    package func start() throws {
        try Self.starting.withLock { _ in try run() }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc
import ServiceRuntime
import WidgetSchema

/// The sender of a destination of the kind `command`: a program that gets the event on its standard input.
///
/// Status 0 means accepted, 65 (`EX_DATAERR`) rejected; any other status is tried again.
final class CommandSender: DestinationSender {
    /// `EX_DATAERR` of `sysexits.h`: the program will never accept this event.
    private static let rejectingStatus: Int32 = 65

    private let command: [String]
    private let programs: WorkerPool<Void>

    init(_ destination: TidingsConfiguration.Destination, programs: WorkerPool<Void>) {
        command = destination.command
        self.programs = programs
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        let program = ChildProgram(
            command: command,
            environment: [
                "TIDINGS_MESSAGE": attempt.message, "TIDINGS_DESTINATION": attempt.destination.rawValue,
                "TIDINGS_SUBJECT": attempt.subject.description, "TIDINGS_ATTEMPT": String(attempt.number),
            ],
            input: attempt.body,
            timeout: attempt.timeout
        )
        let isSubmitted = programs.submit { _ in completion(Self.outcome(program.run())) }
        if !isSubmitted { completion(.retry(after: nil, reason: "The program was not started: the service stops.")) }
    }

    private static func outcome(_ end: ChildProgram.End) -> DeliveryOutcome {
        let reason = ChildProgram.reason(end, of: "The program")
        switch end {
        case .exit(0): return .delivered
        case .exit(rejectingStatus): return .rejected(reason: reason)
        case .exit: return .retry(after: nil, reason: reason)
        case .notStarted: return .retry(after: nil, reason: reason, isServerFailure: true)
        case .signal, nil: return .unknown(reason: reason)
        }
    }

    func check(timeout: Duration, completion: @escaping Completion) {
        let isThere = Self.isExecutable(command.first ?? "")
        completion(isThere ? .delivered : .retry(after: nil, reason: "There is no such program."))
    }

    /// Returns whether a program exists; a name without a slash is searched in `PATH`.
    static func isExecutable(_ name: String) -> Bool {
        if name.contains("/") { return access(name, X_OK) == 0 }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    func stop() {}
}

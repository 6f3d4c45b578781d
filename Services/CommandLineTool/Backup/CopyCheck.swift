// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import ServiceRuntime
import Storage

/// The check of a copy of a store by the executable of its service, because only the service can read its rows.
enum CopyCheck {
    /// The error for a copy that must not replace a store; each command adds its own remedy.
    struct Fault: Error, CustomStringConvertible {
        /// The name of the copy's file in a backup.
        var name: String
        var problem: String

        var description: String { "\(name): \(problem)" }
    }

    /// Checks a copy of the store of a service, and throws a `Fault` if it is not correct.
    ///
    /// Throws a `CommandFailure` if the executable of the service is missing.
    static func run(_ service: String, _ copy: String) throws {
        try ServiceExecutables.require([service])
        let process = Process()
        process.executableURL = URL(filePath: ServiceExecutables.path(of: service))
        process.arguments = ["--\(ServiceProgram.checkStoreOption.name)=\(copy)"]
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let report = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let hasExited = process.terminationReason == .exit
        if hasExited && process.terminationStatus == ExitStatus.done.rawValue { return }
        let lines = String(decoding: report, as: UTF8.self).trimmingCharacters(in: .newlines)
        let end = hasExited ? "status" : "signal"
        throw Fault(
            name: StoreFolder.fileName(of: service),
            problem: lines.isEmpty
                ? "'\(service)' could not check it, and ended with \(end) \(process.terminationStatus)"
                : MessagePrinter.printable(lines)
        )
    }
}

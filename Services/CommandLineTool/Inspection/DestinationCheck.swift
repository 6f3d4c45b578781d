// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceRuntime
import WidgetSchema

/// The check of destinations by the executable of the service delivery, which contains their protocols.
enum DestinationCheck {
    /// Checks whether each destination can be reached; prints one line for each.
    ///
    /// Throws a `CommandFailure` if the executable is missing.
    static func run(_ configuration: TidingsConfiguration, environment: [String: String]) throws -> CommandStatus {
        let hasPlaces = !configuration.destinations.isEmpty || configuration.devices.apns != nil
        guard hasPlaces, let file = configuration.file else {
            Program.note("the configuration has no destinations")
            return .done
        }
        let service = ServiceName.delivery.rawValue
        try ServiceExecutables.require([service])
        let process = Process()
        process.executableURL = URL(filePath: ServiceExecutables.path(of: service))
        process.arguments = ["--config=\(file)", "--check-destinations"]
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let report = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try StandardOutput.write(
            String(decoding: report, as: UTF8.self).split(separator: "\n")
                .map { MessagePrinter.printable(String($0)) + "\n" }.joined()
        )
        let isGood = process.terminationReason == .exit && process.terminationStatus == ExitStatus.done.rawValue
        return isGood ? .done : .no
    }
}

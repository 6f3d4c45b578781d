// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import MessageBus
import ServiceRuntime
import WidgetSchema

/// `tidings panel`: shows and pairs the panels that sleep between their requests.
enum PanelCommand: Subcommand {
    static let table = OptionTable(
        command: "tidings panel",
        summary: "Lists, pairs and forgets panels that sleep, and lets them sleep longer.",
        operands: [
            Operand(
                "ACTION",
                choices: PanelsRequest.Action.allCases.map(\.rawValue),
                help: "list, pair, forget or sleep."
            ),
            Operand("PANEL", isOptional: true, help: "The panel's id, or its name in the configuration."),
        ],
        options: [
            Option(
                "minutes",
                value: "N",
                help: "With pair: the length of the pairing window, \(PanelsRequest.pairingMinutes.lowerBound) to "
                    + "\(PanelsRequest.pairingMinutes.upperBound) (default: \(PanelsRequest.defaultPairingMinutes))."
            ),
            Option(
                "until",
                value: "TIME",
                help: "With sleep: the day or the time of the end, such as 2026-12-24 or 2026-12-24T18:00:00Z. Until "
                    + "then, the panel keeps its picture, and wakes once a day. Without it, the sleep ends."
            ),
            Option("json", short: "j", help: "The panels as one JSON object."),
        ] + BusChoice.options,
        notes: """
            A panel gets a key only while the pairing window is open, because its id is
            public. 'pair' without a panel is for those of the configuration that have no
            key; 'pair ID' is for one, which may have a key of another server.

            Examples:
              tidings panel pair
              tidings panel pair AA:BB:CC:DD:EE:FF --minutes 5
              tidings panel sleep hall --until 2026-12-24

            Exit status: 1 if a panel needs attention, or if the request is rejected.
            """
    )

    static func run(_ options: ParsedOptions, environment: [String: String]) throws -> CommandStatus {
        let request = try request(options)
        let address = try BusChoice.address(options, environment: environment)
        let session = try BusSession(address)
        defer { session.close() }
        let report = try session.ask(RequestTarget(.gateway), request)
        if options.has("json") {
            try StandardOutput.write(String(decoding: WireJSON.encode(report), as: UTF8.self) + "\n")
        } else {
            try StandardOutput.write(
                PanelTable(report, .ofOutput(environment: environment), at: .now).lines.map { $0 + "\n" }.joined()
            )
        }
        return request.action == .list && report.panels.contains { !$0.warnings.isEmpty } ? .no : .done
    }

    private static func request(_ options: ParsedOptions) throws -> PanelsRequest {
        let word = options.operands[0]
        let action: PanelsRequest.Action = try choice(word, "'\(word)' is not an action")
        let panel = options.operands.dropFirst().first
        var request = PanelsRequest(action: action, panel: panel)
        if panel == nil, action == .forget || action == .sleep {
            throw wrongUse("\(word) needs the id or the name of a panel")
        }
        if panel != nil, action == .list { throw wrongUse("list shows all panels; give no panel") }
        if let text = options.value("minutes") {
            guard action == .pair else { throw wrongUse("--minutes is for pair") }
            guard let minutes = Int(text), PanelsRequest.pairingMinutes.contains(minutes) else {
                throw wrongUse(
                    "--minutes must be a whole number from \(PanelsRequest.pairingMinutes.lowerBound) to "
                        + "\(PanelsRequest.pairingMinutes.upperBound), not '\(text)'"
                )
            }
            request.minutes = minutes
        }
        if let text = options.value("until") {
            guard action == .sleep else { throw wrongUse("--until is for sleep") }
            guard let until = time(text) else {
                throw wrongUse("'\(text)' is not a day or a time such as 2026-12-24 or 2026-12-24T18:00:00Z")
            }
            request.until = until
        }
        return request
    }

    /// Returns the time that a text names: a day begins at midnight in the time zone of this machine.
    private static func time(_ text: String) -> Instant? {
        if let instant = Instant(text) { return instant }
        guard let midnight = Instant(text + "T00:00:00Z") else { return nil }
        return LocalDays(.current).instant(localMilliseconds: midnight.milliseconds)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Foundation
import WidgetSchema

/// The destinations as the core knows them: the rules without secrets.
struct DeliveryPlan: Sendable, Equatable {
    /// The rules for registered devices.
    struct Devices: Sendable, Equatable {
        var budget = TidingsConfiguration.Devices().budget
        /// A Boolean value that indicates whether there is a key for Apple's push service.
        var acceptsApple = false
        /// A hash of this key and its ids, or nil if there is none; devices of Apple are tried again when it changes.
        var appleKey: String?
    }

    var destinations: [DestinationName: DestinationPlan] = [:]
    var devices = Devices()
}

/// The rules of one destination.
struct DestinationPlan: Sendable, Equatable {
    var name: DestinationName
    var kind: String
    var mode = TidingsConfiguration.Destination.Mode.latest
    var filter = TidingsConfiguration.Destination.Filter()
    var highPriority: TidingsConfiguration.Destination.HighPriority?
    var budget: TidingsConfiguration.Destination.Budget?
    /// A Boolean value that indicates whether a message of one widget is one of all: Apple's widget pushes reload an app.
    var sharesBudget = false
    var timeout = TidingsConfiguration.Destination.defaultTimeout
    var sendsState = false
    /// The base address of the gateway for the address of a picture; nil for none.
    var pictures: String?
    /// The server that the attempts share with those of other destinations, such as `https://example.org:443`.
    var server: String
    /// A hash of the address and the secrets; a destination that was gone is tried again when it changes.
    var fingerprint: String
}

extension DestinationPlan {
    /// A Boolean value that indicates whether a program sends the messages; one of each destination runs at a time.
    var runsProgram: Bool {
        switch TidingsConfiguration.Destination.Kind(rawValue: kind) {
        case .command, .apprise: true
        case .webhook, .ntfy, .mqtt, nil: false
        }
    }

    /// Creates the rules of a destination whose texts are filled.
    init(_ destination: TidingsConfiguration.Destination) {
        self.init(
            name: destination.name,
            kind: destination.kind.rawValue,
            mode: destination.mode,
            filter: destination.filter,
            highPriority: destination.highPriority,
            budget: destination.budget,
            timeout: destination.timeout,
            sendsState: destination.sendsState,
            pictures: destination.pictures,
            server: Self.server(of: destination),
            fingerprint: Self.fingerprint(of: destination)
        )
    }

    private static func fingerprint(of destination: TidingsConfiguration.Destination) -> String {
        var lines = [destination.kind.rawValue, destination.url, destination.token ?? "", destination.urls]
        lines += destination.secrets + destination.command
        lines += [destination.user ?? "", destination.password ?? "", destination.topic ?? ""]
        for (name, value) in destination.headers.sorted(by: { $0.key < $1.key }) { lines.append("\(name): \(value)") }
        return SHA256.hexDigest(of: lines.joined(separator: "\n"))
    }

    private static func server(of destination: TidingsConfiguration.Destination) -> String {
        if destination.kind == .mqtt, let address = MQTTAddress(destination.url) { return address.description }
        return server(of: destination.url) ?? "\(destination.kind.rawValue):\(destination.name)"
    }

    /// Returns scheme, host and port of a web address; nil if it has no host.
    static func server(of address: String) -> String? {
        guard let url = URL(string: address), let scheme = url.scheme, let host = url.host(percentEncoded: false) else {
            return nil
        }
        return "\(scheme)://\(host.lowercased()):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Returns the reason why an update of one of the destination's widgets is not sent; nil if it is.
    func refusal(
        result: UpdateResult,
        reason: Reason,
        changed: [DisplayName],
        displays: some Sequence<DisplayName>
    ) -> String? {
        if !filter.results.contains(result) {
            let results = filter.results.map(\.rawValue).sorted().joined(separator: ", ")
            return "the destination gets only the results \(results)"
        }
        if let reasons = filter.reasons, !reasons.contains(reason) {
            return "the destination does not get the reason \(reason.rawValue)"
        }
        if let wanted = filter.displays, reason != .removed {
            let shown = changed.isEmpty ? Array(displays) : changed
            if !shown.contains(where: wanted.contains) { return "no display of the destination changed" }
        }
        return nil
    }

    func refusal(of update: Update) -> String? {
        refusal(
            result: update.result,
            reason: update.reason,
            changed: update.changed,
            displays: update.displays.keys
        )
    }

    /// Returns whether the destination gets updates of a widget.
    func follows(_ widget: WidgetID) -> Bool { filter.widgets?.contains(widget) ?? true }

    /// Returns whether the destination gets messages of a widget or board.
    func follows(_ subject: DeliverySubject) -> Bool {
        switch subject {
        case .widget(let widget): follows(widget)
        case .board(let board): filter.boards.contains(board)
        }
    }

    func isHighPriority(_ update: Update, of widget: WidgetID) -> Bool {
        guard let high = highPriority else { return false }
        return (high.widgets?.contains(widget) ?? true) && (high.results?.contains(update.result) ?? true)
            && (high.reasons?.contains(update.reason) ?? true)
    }
}

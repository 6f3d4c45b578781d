// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
public import WidgetSchema

extension TidingsConfiguration {
    /// A place outside to which the service `delivery` sends updates.
    ///
    /// Texts that may contain `${NAME}` are filled with ``TidingsConfiguration/destinationSecrets``.
    public struct Destination: Sendable, Equatable {
        public enum Kind: String, CaseIterable, Sendable {
            /// A signed POST request (Standard Webhooks 1.0) with the event as its body.
            case webhook
            /// A notification of an ntfy server.
            case ntfy
            /// A program that gets the event on its standard input.
            case command
            /// A notification through the program `apprise`.
            case apprise
            /// The state of widgets and boards at an MQTT broker, for Home Assistant and others.
            case mqtt
        }

        /// The choice of the updates that are sent.
        public enum Mode: String, CaseIterable, Sendable {
            /// The newest update of each widget or board that waits.
            case latest
            /// Each update of a widget, in order.
            case every
        }

        /// The updates that a destination gets: those that fulfil all conditions.
        public struct Filter: Sendable, Hashable {
            /// The widgets; nil for all.
            public var widgets: Set<WidgetID>?
            public var boards: Set<BoardID> = []
            /// The displays of which one must have changed or, in an update that changes none, one must exist; nil for all.
            public var displays: Set<DisplayName>?
            public var results: Set<UpdateResult> = [.newData]
            /// The reasons; nil for all.
            public var reasons: Set<Reason>?

            public init() {}
        }

        /// The conditions for a high priority, of which an update must fulfil all.
        public struct HighPriority: Sendable, Hashable {
            /// The widgets; nil for all.
            public var widgets: Set<WidgetID>?
            /// The results; nil for all.
            public var results: Set<UpdateResult>?
            /// The reasons; nil for all.
            public var reasons: Set<Reason>?

            public init() {}
        }

        /// The limits on the number of messages, for each widget or board.
        public struct Budget: Sendable, Hashable {
            /// The maximum number of messages in any 24 hours.
            public var perDay: Int
            /// The minimum time between two messages.
            public var spacing: Duration = .zero
            /// The number of messages of ``perDay`` that only updates of high priority may use.
            public var reserve = 0

            public init(perDay: Int) { self.perDay = perDay }
        }

        /// The beginning of the names of registered devices, which no configured destination may have.
        public static let devicePrefix = "device-"
        public static let defaultTimeout: Duration = .seconds(15)
        /// The maximum number of signing secrets: a new one, and the one before it.
        public static let maximumSecrets = 2

        public var name: DestinationName
        public var kind: Kind
        public var mode = Mode.latest
        public var filter = Filter()
        /// The conditions for a high priority; nil if no update has it.
        public var highPriority: HighPriority?
        /// The budget; nil if the number of messages is unlimited.
        public var budget: Budget?
        /// The maximum duration of an attempt.
        public var timeout = defaultTimeout
        /// A Boolean value that indicates whether a new destination gets the present state of each widget and board.
        public var sendsState = false
        /// The address of a webhook, of a topic of an ntfy server, or of a broker; may contain `${NAME}`.
        public var url = ""
        /// The secrets with which webhooks are signed, the newest first; may contain `${NAME}`.
        public var secrets: [String] = []
        /// Additional request headers by name; may contain `${NAME}`.
        public var headers: [String: String] = [:]
        public var allowPrivateNetworks = false
        /// The base address of the gateway for the address of a picture in the event; nil for no such address.
        ///
        /// Home Assistant loads pictures of boards from there.
        public var pictures: String?
        /// The access token of an ntfy server; may contain `${NAME}`.
        public var token: String?
        /// A Boolean value that indicates whether a notification replaces the previous one of its widget.
        public var replaces = false
        /// The title of notifications; nil for the widget's or board's name.
        public var title: String?
        /// The program and its arguments.
        public var command: [String] = []
        /// The URLs for Apprise; may contain `${NAME}`.
        public var urls = ""
        /// The display whose picture Apprise attaches, or nil for none; for a broker, that of the published picture, or
        /// nil for the first one of each widget.
        public var picture: DisplayName?
        /// The user at a broker, and its password; they may contain `${NAME}`.
        public var user: String?
        public var password: String?
        /// The PEM file with the certificate authorities that a broker is checked with; nil for those of the system.
        public var certificates: String?
        /// The base of the topics at a broker; nil for `tidings/NAME`.
        public var topic: String?
        /// A Boolean value that indicates whether widgets and boards are announced to Home Assistant.
        public var homeAssistant = false
        /// The prefix of Home Assistant's topics for discovery.
        public var discovery = MQTTTopicPath.defaultDiscovery
        /// The place of the destination in the file.
        var place: ConfigurationError.Place

        public init(name: DestinationName, kind: Kind) {
            self.init(name: name, kind: kind, place: .file("", nil))
        }

        init(name: DestinationName, kind: Kind, place: ConfigurationError.Place) {
            self.name = name
            self.kind = kind
            self.place = place
        }

        /// The base of the topics at a broker.
        public var topics: String { topic ?? "tidings/\(name)" }

        /// Returns the destination with the values of `secrets` in its texts.
        public func filled(with secrets: Secrets) -> Destination {
            var destination = self
            destination.url = secrets.filled(url)
            destination.secrets = self.secrets.map(secrets.filled)
            destination.headers = headers.mapValues(secrets.filled)
            destination.token = token.map(secrets.filled)
            destination.urls = secrets.filled(urls)
            destination.user = user.map(secrets.filled)
            destination.password = password.map(secrets.filled)
            return destination
        }
    }

    /// Adds a warning for each widget that a destination names and that does not exist.
    mutating func checkDestinations() {
        guard !widgetReferences.isEmpty else { return }
        let known = Set(widgets.map(\.id))
        let names = known.count <= Self.maximumSuggested ? known.map(\.rawValue).sorted() : []
        for reference in widgetReferences where !known.contains(reference.widget) {
            let suggestion = EditDistance.closest(to: reference.widget.rawValue, among: names)
            warnings.append(
                "\(reference.place): there is no widget '\(reference.widget)'"
                    + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
            )
        }
    }

    /// Returns the errors of destinations whose texts are wrong with the values of the environment.
    ///
    /// The messages contain no value of the environment.
    var destinationFaults: [ConfigurationError] {
        destinations.flatMap { destination in
            let filled = destination.filled(with: destinationSecrets)
            var faults: [String] = []
            if filled.url != destination.url, destination.kind == .mqtt {
                if let address = MQTTAddress(filled.url) {
                    if !destination.allowPrivateNetworks, let kind = PrivateHost.kind(url: address.description) {
                        faults.append(Self.privateNetwork(kind, destination))
                    }
                } else {
                    faults.append("the url of destination '\(destination.name)' \(MQTTAddress.rule)")
                }
            } else if filled.url != destination.url {
                if RequestSyntax.problem(url: filled.url) != nil {
                    faults.append("the url of destination '\(destination.name)' is not a valid http or https URL")
                } else if destination.kind == .ntfy, !Destination.namesTopic(filled.url) {
                    faults.append(
                        "the url of destination '\(destination.name)' names no topic; write one such as https://ntfy.sh/TOPIC"
                    )
                } else if !destination.allowPrivateNetworks, let kind = PrivateHost.kind(url: filled.url) {
                    faults.append(Self.privateNetwork(kind, destination))
                }
            }
            if zip(filled.secrets, destination.secrets).contains(where: { $0 != $1 && !Destination.isSecret($0) }) {
                faults.append("a secret of destination '\(destination.name)' is not valid: \(Destination.secretRule)")
            }
            if Destination.namesSeveralServices(filled.urls) {
                faults.append(
                    "the urls of destination '\(destination.name)' name several services, and Apprise does not say which one "
                        + "failed; make one destination for each"
                )
            }
            return faults.map { ConfigurationError(destination.place, "with the values of the environment, \($0)") }
        }
    }

    private static func privateNetwork(_ kind: String, _ destination: Destination) -> String {
        "the url of destination '\(destination.name)' is on a \(kind) network; to allow it, set "
            + "allowPrivateNetworks: true in this destination"
    }
}

extension TidingsConfiguration.Destination {
    static let secretRule = "it must be 'whsec_' and 24 to 64 bytes in base64"
    private static let secretPrefix = "whsec_"
    private static let secretBytes = 24...64

    /// Returns whether an address of an ntfy server has a topic, which is the last part of its path.
    static func namesTopic(_ url: String) -> Bool { URL(string: url)?.path.split(separator: "/").isEmpty == false }

    /// Returns whether Apprise finds several URLs in a text: it splits at white space and commas before a scheme.
    static func namesSeveralServices(_ urls: String) -> Bool {
        urls.split { $0 == "," || $0.isWhitespace }.count { $0.contains("://") } > 1
    }

    /// Returns whether a text is a signing secret of Standard Webhooks.
    static func isSecret(_ text: String) -> Bool { key(ofSecret: text) != nil }

    /// Returns the key of a signing secret of Standard Webhooks; nil if the text is not one.
    public static func key(ofSecret text: String) -> [UInt8]? {
        guard text.hasPrefix(secretPrefix), let key = Data(base64Encoded: String(text.dropFirst(secretPrefix.count))),
            secretBytes.contains(key.count)
        else { return nil }
        return Array(key)
    }
}

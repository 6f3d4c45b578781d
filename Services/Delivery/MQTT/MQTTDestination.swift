// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import WidgetSchema

/// A destination of the kind `mqtt`, from which a sender is made.
struct MQTTDestination: Sendable {
    /// The number of hexadecimal digits in the id of a client, which may have 23 characters (MQTT 3.1.1, section 3.1.3.1).
    private static let clientDigits = 15

    var name: DestinationName
    var address: MQTTAddress
    /// The base of the topics; nil for `tidings/NAME`.
    var base: String?
    var discovery = MQTTTopicPath.defaultDiscovery
    /// A Boolean value that indicates whether widgets are announced to Home Assistant.
    var homeAssistant = false
    var user: String?
    var password: String?
    /// The PEM file with the trusted certificate authorities; nil for those of the system.
    var certificateFile: String?
    var allowPrivateNetworks = false
    /// The display whose picture is published; nil for the first one that a widget has.
    var display: DisplayName?
    /// The widgets and boards that pass the filter of the destination.
    var devices: [HomeAssistantDevice]

    /// Returns the options of the sender; nil if the base or the prefix for discovery has another form.
    func options(version: String, hooks: MQTTSender.Hooks) -> MQTTSender.Options? {
        guard let topics = MQTTTopics(base: base ?? "tidings/\(name)", discovery: discovery) else { return nil }
        let connection = MQTTConfiguration(
            address: address,
            clientID: "tidings-" + SHA256.hexDigest(of: topics.base).prefix(Self.clientDigits),
            user: user,
            password: password,
            certificateFile: certificateFile,
            allowPrivateNetworks: allowPrivateNetworks,
            will: MQTTMessage(topics.availability, "offline", isRetained: true),
            filters: topics.filters(usesDiscovery: homeAssistant)
        )
        let session = MQTTSession(topics: topics, devices: devices, usesDiscovery: homeAssistant, version: version)
        return MQTTSender.Options(connection: connection, session: session, display: display, hooks: hooks)
    }
}

extension MQTTDestination {
    /// Creates the destination of a configuration whose texts are filled; nil if its address is none.
    init?(_ destination: TidingsConfiguration.Destination, devices: [HomeAssistantDevice]) {
        guard let address = MQTTAddress(destination.url) else { return nil }
        self.init(
            name: destination.name,
            address: address,
            base: destination.topics,
            discovery: destination.discovery,
            homeAssistant: destination.homeAssistant,
            user: destination.user,
            password: destination.password,
            certificateFile: destination.certificates,
            allowPrivateNetworks: destination.allowPrivateNetworks,
            display: destination.picture,
            devices: devices
        )
    }
}

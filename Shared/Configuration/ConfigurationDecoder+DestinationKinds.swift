// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
import WidgetSchema

/// Decoding of the keys that only some kinds of destinations have, and of the settings for registered devices.
extension ConfigurationDecoder {
    static func requiredKeys(of kind: TidingsConfiguration.Destination.Kind) -> [String] {
        switch kind {
        case .webhook, .ntfy, .mqtt: ["url"]
        case .command: ["command"]
        case .apprise: ["urls"]
        }
    }

    /// Returns the keys that only some kinds have.
    static func ownKeys(of kind: TidingsConfiguration.Destination.Kind) -> [String] {
        switch kind {
        case .webhook: ["url", "secret", "headers", "allowPrivateNetworks", "pictures"]
        case .ntfy: ["url", "token", "headers", "allowPrivateNetworks", "replace", "title"]
        case .command: ["command"]
        case .apprise: ["urls", "title", "picture"]
        case .mqtt:
            [
                "url", "user", "password", "certificates", "allowPrivateNetworks", "topic", "homeAssistant",
                "discovery",
                "picture", "pictures",
            ]
        }
    }

    mutating func decodeOwn(
        _ keys: [String: YAMLNode.Entry],
        _ names: DestinationNames,
        into destination: inout Destination
    ) {
        flag(keys["allowPrivateNetworks"], &destination.allowPrivateNetworks)
        if let url = keys["url"] { destination.url = decodeDestinationURL(url, of: destination) ?? "" }
        if let secret = keys["secret"] { destination.secrets = decodeSecrets(secret) }
        if let headers = keys["headers"] {
            let ofSources = secrets
            secrets = Secrets()
            destination.headers = decodeHeaders(headers.value)
            destinationSecrets.add(secrets)
            secrets = ofSources
        }
        if let pictures = keys["pictures"] { destination.pictures = checked(pictures, RequestSyntax.problem(url:)) }
        destination.token = keys["token"].flatMap { secretText($0.value, $0.key) }
        flag(keys["replace"], &destination.replaces)
        destination.title = keys["title"].flatMap { nodes.text($0.value, $0.key) }
        destination.urls = keys["urls"].flatMap { secretText($0.value, $0.key) } ?? ""
        decodeBroker(keys, into: &destination)
        if let command = keys["command"] {
            destination.command = (nodes.items(command.value, command.key) ?? []).compactMap {
                nodes.text($0, "an entry of command")
            }
            if destination.command.isEmpty { nodes.fail(command.value.mark, "command has no program") }
        }
        if let picture = keys["picture"], let text = nodes.text(picture.value, picture.key) {
            let known = names.displays.values.joined().sorted()
            destination.picture = known.first { $0.rawValue == text }
            if destination.picture == nil {
                let hint = EditDistance.hint(for: text, among: known.map(\.rawValue))
                nodes.fail(picture.value.mark, "there is no display '\(text)'\(hint)")
            }
        }
    }

    /// Returns an address; one without variables is checked here, the others when the environment is known.
    private mutating func decodeDestinationURL(_ entry: YAMLNode.Entry, of destination: Destination) -> String? {
        guard let text = secretText(entry.value, entry.key) else { return nil }
        guard !text.contains("${") else { return text }
        if destination.kind == .mqtt {
            checkBroker(text, at: entry.value.mark, of: destination)
        } else if let problem = RequestSyntax.problem(url: text) {
            nodes.fail(entry.value.mark, problem)
        } else if !destination.allowPrivateNetworks, let kind = PrivateHost.kind(url: text) {
            nodes.fail(
                entry.value.mark,
                "'\(text)' is on a \(kind) network; to allow it, set allowPrivateNetworks: true in this destination"
            )
        } else if destination.kind == .ntfy, !Destination.namesTopic(text) {
            nodes.fail(entry.value.mark, "the url '\(text)' names no topic; write one such as https://ntfy.sh/TOPIC")
        }
        return text
    }

    private mutating func decodeSecrets(_ entry: YAMLNode.Entry) -> [String] {
        var items = [entry.value]
        if case .sequence(let list) = entry.value.content { items = list }
        if items.count > TidingsConfiguration.Destination.maximumSecrets {
            nodes.fail(
                entry.value.mark,
                "more than \(Destination.maximumSecrets) secrets: write the new one, and the one before it"
            )
        }
        return items.compactMap { item in
            guard let text = secretText(item, "a secret") else { return nil }
            if !text.contains("${"), !Destination.isSecret(text) {
                nodes.fail(item.mark, "the secret is not valid: \(Destination.secretRule)")
            }
            return text
        }
    }

    /// Returns a text that may contain `${NAME}`, and records the variables.
    private mutating func secretText(_ node: YAMLNode, _ what: String) -> String? {
        guard let text = nodes.text(node, what) else { return nil }
        do throws(SecretText.Problem) {
            destinationSecrets.need(try SecretText.pieces(of: text), at: .file(file, node.mark))
            return text
        } catch {
            nodes.fail(node.mark, error.message)
            return nil
        }
    }

    // MARK: Brokers

    private mutating func decodeBroker(_ keys: [String: YAMLNode.Entry], into destination: inout Destination) {
        destination.user = keys["user"].flatMap { secretText($0.value, $0.key) }
        destination.password = keys["password"].flatMap { secretText($0.value, $0.key) }
        if let password = keys["password"], keys["user"] == nil {
            nodes.fail(password.keyMark, "a password needs a user; MQTT has no password alone")
        }
        destination.certificates = path(keys["certificates"])
        if let topic = keys["topic"] { destination.topic = checked(topic, MQTTTopicPath.problem) }
        flag(keys["homeAssistant"], &destination.homeAssistant)
        guard let discovery = keys["discovery"] else { return }
        destination.discovery = checked(discovery, MQTTTopicPath.problem) ?? destination.discovery
        if !destination.homeAssistant { nodes.fail(discovery.keyMark, "discovery needs homeAssistant: true") }
    }

    /// Reports a broker's address that is not one; the text may contain a password, so no message shows it.
    private mutating func checkBroker(_ text: String, at mark: YAMLMark, of destination: Destination) {
        guard let address = MQTTAddress(text) else {
            return nodes.fail(mark, "the url \(MQTTAddress.rule); user and password have keys of their own")
        }
        guard !destination.allowPrivateNetworks, let kind = PrivateHost.kind(url: address.description) else { return }
        nodes.fail(
            mark,
            "'\(address)' is on a \(kind) network; to allow it, set allowPrivateNetworks: true in this destination"
        )
    }

    /// Reports two destinations with the same topics at one broker: each would remove what the other has published.
    mutating func checkTopics(of destinations: [Destination]) {
        var owners: [String: DestinationName] = [:]
        for destination in destinations where destination.kind == .mqtt {
            let place = "\(destination.url) \(destination.topics)"
            if let owner = owners.updateValue(destination.name, forKey: place),
                case .file(_, let mark?) = destination.place
            {
                nodes.fail(
                    mark,
                    "the destinations '\(owner)' and '\(destination.name)' have the same topic at one broker; set another "
                        + "topic"
                )
            }
        }
    }

    // MARK: Devices

    mutating func decodeDevices(_ node: YAMLNode, into devices: inout TidingsConfiguration.Devices) {
        let keys = nodes.mapping(node, "devices", known: ["apns", "contact", "budget"])
        if let apns = keys["apns"] { devices.apns = decodeAPNs(apns.value) }
        if let contact = keys["contact"] {
            devices.contact = checked(contact) { text in
                text.hasPrefix("mailto:") || text.hasPrefix("https://")
                    ? nil : "'\(text)' must begin with mailto: or https://"
            }
        }
        guard let budget = keys["budget"], let decoded = decodeBudget(budget.value) else { return }
        devices.budget = decoded
        if decoded.reserve > 0 {
            nodes.fail(budget.keyMark, "devices have no high priority, so the budget has no reserve")
        }
    }

    private mutating func decodeAPNs(_ node: YAMLNode) -> TidingsConfiguration.Devices.APNs? {
        let names = ["key", "keyID", "teamID"]
        let keys = nodes.mapping(node, "apns", known: names)
        let texts = names.compactMap { name -> String? in
            guard let entry = keys[name] else {
                nodes.fail(node.mark, "apns has no \(name)")
                return nil
            }
            if name == "key" { return path(entry) }
            return checked(entry) { text in
                TidingsConfiguration.Devices.isAppleID(text)
                    ? nil
                    : "'\(text)' must have \(TidingsConfiguration.Devices.appleIDLength) upper-case letters and digits"
            }
        }
        guard texts.count == names.count else { return nil }
        return TidingsConfiguration.Devices.APNs(keyFile: texts[0], keyID: texts[1], teamID: texts[2])
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import WidgetSchema

/// The part of a configuration that the service uses, with filled texts.
struct DeliverySettings {
    var destinations: [TidingsConfiguration.Destination]
    var names: SubjectNames
    /// The devices of Home Assistant, by the brokers that announce them.
    var homeAssistantDevices: [DestinationName: [HomeAssistantDevice]] = [:]
    var plan: DeliveryPlan
    /// The key for Apple's push service; nil if there is none, or if it cannot be read.
    var apns: APNsKey?
    /// The reason why the configured key cannot be used; nil if it can.
    var apnsProblem: String?
    /// The address of the operator for operators of push services; nil for none.
    var contact: String?
    /// The timeout of a command to the cache.
    var commandTimeout: Duration

    init(_ configuration: TidingsConfiguration) {
        let secrets = configuration.destinationSecrets
        destinations = configuration.destinations.map { $0.filled(with: secrets) }
        let widgets = configuration.widgets.compactMap { widget in widget.definition.name.map { (widget.id, $0) } }
        names = SubjectNames(widgets: Dictionary(widgets) { _, last in last })
        let plans = destinations.map(DestinationPlan.init)
        plan = DeliveryPlan(destinations: Dictionary(plans.map { ($0.name, $0) }) { _, last in last })
        plan.devices.budget = configuration.devices.budget
        contact = configuration.devices.contact
        commandTimeout = configuration.fetching.commandTimeout
        for destination in destinations where destination.kind == .mqtt {
            homeAssistantDevices[destination.name] = Self.devices(of: destination, configuration, names)
        }
        readKey(configuration.devices.apns)
        plan.devices.acceptsApple = apns != nil
        plan.devices.appleKey = apns?.fingerprint
    }

    private static func devices(
        of destination: TidingsConfiguration.Destination,
        _ configuration: TidingsConfiguration,
        _ names: SubjectNames
    ) -> [HomeAssistantDevice] {
        let widgets = configuration.widgets.filter { destination.filter.widgets?.contains($0.id) ?? true }
            .map { widget in
                let subject = DeliverySubject.widget(widget.id)
                return HomeAssistantDevice(
                    subject: subject,
                    name: names[subject],
                    kind: widget.definition.kind,
                    hasPicture: destination.picture.map { widget.displays.contains($0) } ?? !widget.displays.isEmpty
                )
            }
        let boards = destination.filter.boards.sorted().map { board in
            let subject = DeliverySubject.board(board)
            let hasPicture = destination.pictures != nil
            return HomeAssistantDevice(subject: subject, name: names[subject], kind: nil, hasPicture: hasPicture)
        }
        return widgets + boards
    }

    private mutating func readKey(_ settings: TidingsConfiguration.Devices.APNs?) {
        guard let settings else { return }
        guard let data = FileManager.default.contents(atPath: settings.keyFile) else {
            apnsProblem = "the file of devices.apns.key cannot be read"
            return
        }
        let pem = String(decoding: data, as: UTF8.self)
        apns = APNsKey(pem: pem, keyID: settings.keyID, teamID: settings.teamID)
        if apns == nil { apnsProblem = "the file of devices.apns.key contains no private key of P-256" }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import HTTPTransport
import ServiceRuntime
import WidgetSchema

/// The parts that the senders of all destinations share.
struct SenderTools: Sendable {
    /// The maximum number of programs of destinations that run at once.
    static let maximumPrograms = 4

    var http: HTTPClient
    /// The client for Apple's push service, which has one connection.
    var apple: HTTPClient
    var pictures: any PictureProvider
    /// The threads that run programs.
    var programs: WorkerPool<Void>

    /// Returns the sender of a destination whose texts are filled; nil if its address is not valid.
    func sender(
        of destination: TidingsConfiguration.Destination,
        _ settings: DeliverySettings,
        hooks: MQTTSender.Hooks
    ) -> (any DestinationSender)? {
        switch destination.kind {
        case .webhook: return WebhookSender(destination, http: http)
        case .ntfy: return NtfySender(destination, settings.names, http: http)
        case .command: return CommandSender(destination, programs: programs)
        case .apprise: return AppriseSender(destination, settings.names, pictures: pictures, programs: programs)
        case .mqtt:
            let broker = MQTTDestination(destination, devices: settings.homeAssistantDevices[destination.name] ?? [])
            guard let options = broker?.options(version: TidingsVersion.current, hooks: hooks) else { return nil }
            return MQTTSender(options, named: "mqtt-\(destination.name)", pictures: pictures)
        }
    }

    /// Checks that a destination can be reached, without a message that people see; calls `completion` exactly once.
    func check(
        _ destination: TidingsConfiguration.Destination,
        _ settings: DeliverySettings,
        timeout: Duration,
        completion: @escaping Sender.Completion
    ) {
        let invalid = DeliveryOutcome.rejected(reason: "The address is not valid.")
        if destination.kind == .mqtt {
            guard let broker = MQTTDestination(destination, devices: []) else { return completion(invalid) }
            return MQTTCheck.run(broker, timeout: timeout, completion: completion)
        }
        guard let sender = sender(of: destination, settings, hooks: .none) else { return completion(invalid) }
        sender.check(timeout: timeout) { outcome in
            sender.stop()
            completion(outcome)
        }
    }
}

extension MQTTSender.Hooks {
    /// The hooks that do nothing.
    static let none = MQTTSender.Hooks(command: { _, _ in }, kept: { _ in }, connection: { _ in })
}

/// The senders of all configured destinations; it is used on the service's thread.
final class SenderSet {
    /// The settings from which a sender was made.
    private struct Basis: Equatable {
        var destination: TidingsConfiguration.Destination
        /// The names of messages, of the kinds whose messages have a title.
        var names: SubjectNames?
        var devices: [HomeAssistantDevice]?
    }

    private let tools: SenderTools
    private let hooks: (DestinationName) -> MQTTSender.Hooks
    private var senders: [DestinationName: (basis: Basis, sender: any Sender)] = [:]

    /// Creates an empty set; `hooks` are the calls of brokers into the service.
    init(_ tools: SenderTools, hooks: @escaping (DestinationName) -> MQTTSender.Hooks) {
        self.tools = tools
        self.hooks = hooks
    }

    subscript(name: DestinationName) -> (any Sender)? { senders[name]?.sender }

    /// Replaces the senders of the destinations that changed, and stops those of removed ones.
    func replace(by settings: DeliverySettings) {
        let wanted = settings.destinations.map { destination in
            let devices = destination.kind == .mqtt ? settings.homeAssistantDevices[destination.name] : nil
            let names = devices == nil ? settings.names : nil
            return (destination.name, Basis(destination: destination, names: names, devices: devices))
        }
        let bases = Dictionary(wanted) { _, last in last }
        for (name, old) in senders where bases[name] != old.basis {
            old.sender.stop()
            senders[name] = nil
        }
        for (name, basis) in bases where senders[name] == nil {
            let sender = tools.sender(of: basis.destination, settings, hooks: hooks(name))
            senders[name] = sender.map { (basis: basis, sender: $0 as any Sender) }
        }
    }

    func stop() {
        for (_, sender) in senders.values { sender.stop() }
        senders = [:]
        tools.programs.stop()
    }
}

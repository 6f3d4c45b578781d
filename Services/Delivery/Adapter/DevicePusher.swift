// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import HTTPTransport
import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The pushes to registered devices; it is used on the service's thread.
final class DevicePusher {
    /// The pause before the next attempt for a device to which this installation cannot push.
    private static let pause = Duration.seconds(3_600)

    let tools: SenderTools
    private let pushKey: () -> P256PrivateKey?
    private var names = SubjectNames()
    private var contact: String?
    private var apple: (key: APNsKey, service: APNsService)?

    /// Creates a pusher; `pushKey` returns the key of this installation, nil before the store is open.
    init(_ tools: SenderTools, pushKey: @escaping () -> P256PrivateKey?) {
        self.tools = tools
        self.pushKey = pushKey
    }

    /// The public key to which browsers bind their subscriptions; nil before the store is open.
    var publicKey: String? { pushKey().map { VAPIDKey(key: $0, contact: nil).publicKey } }

    /// Applies changed settings; a provider token stays in use while its key does.
    func replace(by settings: DeliverySettings) {
        (names, contact) = (settings.names, settings.contact)
        guard let key = settings.apns else {
            apple = nil
            return
        }
        guard apple?.key != key else { return }
        let service = APNsService(
            key: key,
            transport: tools.apple,
            clock: { .now }
        )
        apple = (key, service)
    }

    func send(_ attempt: DeliveryAttempt, to device: Device, completion: @escaping Sender.Completion) {
        guard let pushKey = pushKey() else {
            return completion(.retry(after: nil, reason: "The key of this installation is not loaded."))
        }
        let names = names
        let senders = DeviceSenders(
            apns: apple?.service,
            vapid: VAPIDKey(key: pushKey, contact: contact),
            transport: tools.http,
            name: { names[$0] }
        )
        guard let sender = senders.sender(of: device) else {
            return completion(
                .retry(after: Self.pause, reason: "This installation has no key for Apple's push service.")
            )
        }
        sender.send(attempt, completion: completion)
    }
}

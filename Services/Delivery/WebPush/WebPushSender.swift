// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import HTTPTransport
import WidgetSchema

/// The sender of one browser.
final class WebPushSender: Sender {
    struct Options: Sendable {
        var key: VAPIDKey
        /// The widgets and boards for which the browser shows a notification.
        var notifies: @Sendable (DeliverySubject) -> Bool
        /// Returns the name that people see.
        var name: @Sendable (DeliverySubject) -> String
        var urgency = WebPushUrgency.normal
    }

    private let endpoint: WebPushEndpoint
    private let keys: WebPushKeys
    private let options: Options
    private let transport: any PushTransport

    /// Creates a sender; nil if the subscription is invalid, which ``DeviceCheck`` has excluded.
    init?(_ subscription: WebPushSubscription, _ options: Options, transport: any PushTransport) {
        guard let endpoint = WebPushEndpoint(subscription.endpoint),
            let keys = WebPushKeys(p256dh: subscription.keys.p256dh, auth: subscription.keys.auth)
        else { return nil }
        self.endpoint = endpoint
        self.keys = keys
        self.options = options
        self.transport = transport
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        let head = try? WireJSON.decode(EventHead.self, from: attempt.body)
        let isNotification = options.notifies(attempt.subject)
        let message = WebPushMessage(
            action: isNotification ? .notify : .refresh,
            subject: attempt.subject.description,
            sequence: head?.sequence,
            title: isNotification ? options.name(attempt.subject) : nil,
            text: isNotification ? head?.data?.summary : nil
        )
        guard let text = try? message.encoded(), let body = WebPushEncryption.encrypt(Array(text), for: keys) else {
            return completion(.rejected(reason: "The message does not fit into a push message."))
        }
        guard let authorization = options.key.authorization(for: endpoint, now: attempt.time) else {
            return completion(.retry(after: nil, reason: "libcrypto could not sign the request."))
        }
        let request = WebPushRequest.make(
            to: endpoint,
            body: body,
            authorization: authorization,
            delivery: (WebPushRequest.topic(of: attempt.subject), options.urgency, attempt.timeout)
        )
        transport.send(request) { completion(WebPushAnswer.outcome($0)) }
    }

    /// Does nothing: requests in flight end with their own deadlines, and the client ends with the service.
    func stop() {}
}

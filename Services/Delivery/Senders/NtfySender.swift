// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Foundation
import HTTPTransport
import WidgetSchema

/// The sender of a destination of the kind `ntfy`: a notification as JSON (https://docs.ntfy.sh/publish/#publish-as-json).
final class NtfySender: DestinationSender {
    /// The maximum size of a notification's text; a server turns a longer one into an attachment.
    private static let maximumTextBytes = 4_000
    private static let maximumTitleBytes = 250
    private static let highPriority = 4
    /// The number of hexadecimal digits of the id that notifications of the same widget share.
    private static let sequenceDigits = 24

    private struct Notification: Encodable {
        var topic: String
        var title: String
        var message: String
        /// The priority from 1 to 5; nil for the server's default, which is 3.
        var priority: Int?
    }

    private let server: String
    private let topic: String
    private let headers: [HTTPHeader]
    private let allowsPrivateNetworks: Bool
    private let replaces: Bool
    private let title: String?
    private let names: SubjectNames
    private let http: HTTPClient

    /// Creates the sender of a destination whose texts are filled; the last part of the address is the topic.
    init(_ destination: TidingsConfiguration.Destination, _ names: SubjectNames, http: HTTPClient) {
        let parts = destination.url.split(separator: "?", maxSplits: 1)
        var path = parts.first.map(String.init) ?? ""
        while path.hasSuffix("/") { path.removeLast() }
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.endIndex
        server = String(path[..<end])
        topic = String(path[end...])
        var headers = destination.headers
        if let token = destination.token { headers["Authorization"] = "Bearer \(token)" }
        self.headers = headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }
        allowsPrivateNetworks = destination.allowPrivateNetworks
        replaces = destination.replaces
        title = destination.title
        self.names = names
        self.http = http
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        let text = MessageText(attempt, names, title: title)
        let notification = Notification(
            topic: topic,
            title: MessageText.cut(text.title, toBytes: Self.maximumTitleBytes),
            message: MessageText.cut(text.text, toBytes: Self.maximumTextBytes),
            priority: attempt.isHighPriority ? Self.highPriority : nil
        )
        guard let body = try? WireJSON.encode(notification) else {
            return completion(.rejected(reason: "The notification cannot be encoded."))
        }
        var headers = [HTTPHeader("Content-Type", "application/json")] + self.headers
        if replaces {
            let id = SHA256.hexDigest(of: "\(attempt.destination)\n\(attempt.subject)").prefix(Self.sequenceDigits)
            headers.append(HTTPHeader("X-Sequence-ID", String(id)))
        }
        let request = HTTPRequest(
            url: server,
            method: "POST",
            headers: headers,
            body: body,
            limits: WebOutcome.limits(timeout: attempt.timeout),
            allowPrivateNetworks: allowsPrivateNetworks
        )
        http.start(request) { completion(WebOutcome.of($0)) }
    }

    func check(timeout: Duration, completion: @escaping Completion) {
        let request = HTTPRequest(
            url: server + "v1/health",
            headers: headers,
            limits: WebOutcome.limits(timeout: timeout),
            allowPrivateNetworks: allowsPrivateNetworks
        )
        http.start(request) { completion(WebOutcome.reached($0)) }
    }

    func stop() {}
}

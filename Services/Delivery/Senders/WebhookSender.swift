// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Foundation
import HTTPTransport
import WidgetSchema

/// The sender of a destination of the kind `webhook`: Standard Webhooks 1.0, with HMAC-SHA256 signatures.
///
/// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
final class WebhookSender: DestinationSender {
    private let url: String
    private let headers: [HTTPHeader]
    private let allowsPrivateNetworks: Bool
    /// The keys, the newest first; during a rotation each message has a signature by both.
    private let keys: [[UInt8]]
    private let http: HTTPClient

    /// Creates the sender of a destination whose texts are filled.
    init(_ destination: TidingsConfiguration.Destination, http: HTTPClient) {
        url = destination.url
        headers = destination.headers.sorted { $0.key < $1.key }.map { HTTPHeader($0.key, $0.value) }
        allowsPrivateNetworks = destination.allowPrivateNetworks
        keys = destination.secrets.compactMap(TidingsConfiguration.Destination.key)
        self.http = http
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        let signed = Self.signatureHeaders(of: attempt.body, id: attempt.message, at: attempt.time, keys: keys)
        let request = HTTPRequest(
            url: url,
            method: "POST",
            headers: [HTTPHeader("Content-Type", "application/cloudevents+json; charset=utf-8")] + headers + signed,
            body: attempt.body,
            limits: WebOutcome.limits(timeout: attempt.timeout),
            allowPrivateNetworks: allowsPrivateNetworks
        )
        http.start(request) { completion(WebOutcome.of($0, endsWithGone: true)) }
    }

    /// Returns the headers of Standard Webhooks; the timestamp is that of the attempt.
    static func signatureHeaders(of body: Data, id: String, at time: Instant, keys: [[UInt8]]) -> [HTTPHeader] {
        let timestamp = String(time.milliseconds / 1000)
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let signatures = keys.map { "v1," + Data(HMAC.digest(of: signed, key: $0)).base64EncodedString() }
        let headers = [HTTPHeader("webhook-id", id), HTTPHeader("webhook-timestamp", timestamp)]
        if signatures.isEmpty { return headers }
        return headers + [HTTPHeader("webhook-signature", signatures.joined(separator: " "))]
    }

    func check(timeout: Duration, completion: @escaping Completion) {
        let request = HTTPRequest(
            url: url,
            method: "HEAD",
            limits: WebOutcome.limits(timeout: timeout),
            allowPrivateNetworks: allowsPrivateNetworks
        )
        http.start(request) { result in
            if case .failure(let failure) = result, failure.kind == .tooManyRedirects {
                let reason = "The server answered with a redirect, which is not followed."
                return completion(.retry(after: nil, reason: reason))
            }
            completion(WebOutcome.reached(result))
        }
    }

    func stop() {}
}

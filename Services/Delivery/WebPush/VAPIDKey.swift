// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import JSON
import WidgetSchema

/// The key with which this installation identifies itself to push services (VAPID, RFC 8292).
///
/// A browser binds its subscription to the public key, so the private key must be in each backup: with another key, every
/// browser has to subscribe again.
struct VAPIDKey: Sendable {
    /// The lifetime of a signature; push services reject one of more than 24 hours.
    static let lifetime = Duration.seconds(12 * 3_600)

    let key: P256PrivateKey
    /// The address at which the operator of a push service can reach the operator of this installation, such as
    /// `mailto:admin@example.org`; nil to name none.
    let contact: String?

    /// The public key, as a page passes it to `PushManager.subscribe` (`applicationServerKey`).
    var publicKey: String { Base64URL.encode(key.publicKey.bytes) }

    /// Returns the value of the header `Authorization` for a push service; nil if libcrypto fails.
    func authorization(for endpoint: WebPushEndpoint, now: Instant) -> String? {
        var payload: [UInt8] = Array(#"{"aud":"#.utf8)
        JSONText.append(endpoint.origin, to: &payload)
        payload += Array(#","exp":\#(now.advanced(by: Self.lifetime).milliseconds / 1000)"#.utf8)
        if let contact {
            payload += Array(#","sub":"#.utf8)
            JSONText.append(contact, to: &payload)
        }
        payload.append(UInt8(ascii: "}"))
        let token = JSONWebSignature.es256(
            header: #"{"typ":"JWT","alg":"ES256"}"#,
            payload: String(decoding: payload, as: UTF8.self),
            key: key
        )
        return token.map { "vapid t=\($0),k=\(publicKey)" }
    }
}

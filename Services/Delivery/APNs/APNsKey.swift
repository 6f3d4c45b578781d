// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Locking
import WidgetSchema

/// The key of a developer team for Apple's push service.
struct APNsKey: Sendable, Equatable {
    let key: P256PrivateKey
    let keyID: String
    let teamID: String

    /// Creates a key from the text of a file `AuthKey_….p8` and the two ids; nil if one of them is invalid.
    init?(pem: String, keyID: String, teamID: String) {
        guard TidingsConfiguration.Devices.isAppleID(keyID), TidingsConfiguration.Devices.isAppleID(teamID),
            let key = P256PrivateKey(pem: pem)
        else { return nil }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// A hash of the public key and the ids.
    var fingerprint: String { SHA256.hexDigest(of: "\(keyID) \(teamID) \(key.publicKey.bytes)") }

    static func == (left: APNsKey, right: APNsKey) -> Bool {
        left.key.publicKey == right.key.publicKey && left.keyID == right.keyID && left.teamID == right.teamID
    }

    /// Returns a provider token, which Apple accepts for an hour; nil if libcrypto fails.
    func token(issuedAt time: Instant) -> String? {
        JSONWebSignature.es256(
            header: #"{"alg":"ES256","kid":"\#(keyID)"}"#,
            payload: #"{"iss":"\#(teamID)","iat":\#(time.milliseconds / 1000)}"#,
            key: key
        )
    }
}

/// The provider token in use and its age.
///
/// Apple rejects tokens of more than 60 minutes, and a provider that changes its token more often than every 20 minutes.
struct APNsTokenSchedule: Sendable {
    static let renewalAge = Duration.seconds(40 * 60)
    /// The minimum age at which a token that Apple has rejected is replaced.
    static let minimumAge = Duration.seconds(20 * 60)

    private var token: String?
    /// The age of the token counts on the monotonic clock, which nobody sets.
    private var issued: ContinuousClock.Instant?

    /// Returns the token to use now, a new one if necessary; nil if libcrypto fails.
    mutating func token(of key: APNsKey, wall: Instant, now: ContinuousClock.Instant) -> String? {
        if let token, let issued, now - issued < Self.renewalAge { return token }
        token = key.token(issuedAt: wall)
        issued = now
        return token
    }

    /// Makes the next request use a new token, if the token is old enough; returns whether it does.
    ///
    /// `used` is the token of the request that was rejected. If it is no longer the current one, nothing changes, and the
    /// result is true.
    mutating func renew(_ used: String, now: ContinuousClock.Instant) -> Bool {
        guard let token, token == used, let issued else { return true }
        guard now - issued >= Self.minimumAge else { return false }
        self.token = nil
        return true
    }
}

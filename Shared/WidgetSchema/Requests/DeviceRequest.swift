// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that registers a phone or a browser for pushes, or removes it; the gateway sends it to `delivery`.
///
/// A device belongs to the access token that registered it: another token can neither change nor remove it. A repeated
/// registration renews the device, which otherwise expires. The answer comes after the commit.
public struct DeviceRequest: RequestBody {
    public static let name = "device"
    public typealias Result = DeviceAnswer

    public var device: DeviceID
    /// The id of the access token of the client.
    public var owner: String
    /// The device and its widgets; nil to remove the device.
    public var registration: DeviceRegistration?

    public init(device: DeviceID, owner: String, registration: DeviceRegistration? = nil) {
        self.device = device
        self.owner = owner
        self.registration = registration
    }
}

/// The answer to a registration or a removal.
public struct DeviceAnswer: Codable, Hashable, Sendable {
    public var device: DeviceID
    /// The time at which the device is removed unless it registers again; nil after a removal.
    public var expires: Instant?

    public init(device: DeviceID, expires: Instant? = nil) {
        self.device = device
        self.expires = expires
    }
}

/// A request for the public key to which browsers bind their subscriptions (VAPID, RFC 8292).
public struct PushKeyRequest: RequestBody {
    public static let name = "pushKey"
    public typealias Result = PushKeyAnswer

    public init() {}
}

/// The public key of an installation.
public struct PushKeyAnswer: Codable, Hashable, Sendable {
    /// The key as `PushManager.subscribe` takes it (`applicationServerKey`): base64url.
    public var publicKey: String

    public init(publicKey: String) { self.publicKey = publicKey }
}

/// The id of a device, which its app or page chooses, such as a UUID: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
public struct DeviceID: ValidatedString {
    public static let rule =
        "a device id has 1 to 64 characters from A-Z, a-z, 0-9, '.', '_' and '-', and starts with a letter or a digit"
    private static let maximumLength = 64

    public let rawValue: String

    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        func isAlphanumeric(_ byte: UInt8) -> Bool { (byte | 0x20).isLowercaseLetter || byte.isDigit }
        guard let first = bytes.first, bytes.count <= Self.maximumLength, isAlphanumeric(first),
            bytes.allSatisfy({ isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }
}

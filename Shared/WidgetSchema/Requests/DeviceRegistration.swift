// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A device's registration: its address for pushes, and the widgets that it shows.
///
/// On the wire, `kind` selects the form: `{"kind":"apns","push","token","bundle","environment",…}` or
/// `{"kind":"webPush","subscription",…}`, each with `widgets`, `displays` and `notify`. The address is a secret: the
/// description of a registration does not contain it.
public struct DeviceRegistration: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public enum Address: Hashable, Sendable {
        case apns(APNsRegistration)
        case webPush(WebPushSubscription)

        public enum Kind: String, Codable, CaseIterable, Sendable {
            case apns
            case webPush
        }

        public var kind: Kind {
            switch self {
            case .apns: .apns
            case .webPush: .webPush
            }
        }
    }

    public var address: Address
    /// The widgets whose changes are pushed; nil for all widgets.
    public var widgets: [WidgetID]?
    /// The displays whose changes are pushed; nil for all displays.
    public var displays: [DisplayName]?
    /// The widgets for which a browser shows a notification; it refreshes its page silently for the others.
    public var notify: [WidgetID]?

    public init(
        address: Address,
        widgets: [WidgetID]? = nil,
        displays: [DisplayName]? = nil,
        notify: [WidgetID]? = nil
    ) {
        self.address = address
        self.widgets = widgets
        self.displays = displays
        self.notify = notify
    }

    public var description: String { "a device of the kind \(address.kind.rawValue)" }
    public var customMirror: Mirror { Mirror(self, children: ["kind": address.kind]) }
}

extension DeviceRegistration: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, widgets, displays, notify
        case push, token, bundle, environment
        case subscription
    }

    /// The names of the members that a registration of this kind has as JSON.
    package var memberNames: [String] {
        let own: [CodingKeys] =
            switch address {
            case .apns: [.push, .token, .bundle, .environment]
            case .webPush: [.subscription, .notify]
            }
        return ([.kind, .widgets, .displays] + own).map(\.stringValue)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Address.Kind.self, forKey: .kind) {
        case .apns:
            address = .apns(
                APNsRegistration(
                    push: try container.decode(APNsRegistration.Push.self, forKey: .push),
                    token: try container.decode(String.self, forKey: .token).lowercased(),
                    bundle: try container.decode(String.self, forKey: .bundle),
                    environment: try container.decodeIfPresent(APNsRegistration.Environment.self, forKey: .environment)
                        ?? .production
                )
            )
        case .webPush:
            address = .webPush(try container.decode(WebPushSubscription.self, forKey: .subscription))
        }
        widgets = try container.decodeIfPresent([WidgetID].self, forKey: .widgets)
        displays = try container.decodeIfPresent([DisplayName].self, forKey: .displays)
        notify = try container.decodeIfPresent([WidgetID].self, forKey: .notify)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(address.kind, forKey: .kind)
        switch address {
        case .apns(let registration):
            try container.encode(registration.push, forKey: .push)
            try container.encode(registration.token, forKey: .token)
            try container.encode(registration.bundle, forKey: .bundle)
            try container.encode(registration.environment, forKey: .environment)
        case .webPush(let subscription):
            try container.encode(subscription, forKey: .subscription)
        }
        try container.encodeIfPresent(widgets, forKey: .widgets)
        try container.encodeIfPresent(displays, forKey: .displays)
        try container.encodeIfPresent(notify, forKey: .notify)
    }
}

/// The address of an app, or of its widgets, on one device of Apple.
public struct APNsRegistration: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of push; each kind has a token of its own.
    public enum Push: String, Codable, CaseIterable, Sendable {
        /// Reloads the widgets of the app (iOS 26 and later).
        case widgets
        /// Wakes the app.
        case background
    }

    /// The push service for which the app was signed.
    public enum Environment: String, Codable, CaseIterable, Sendable {
        case production
        case sandbox
    }

    public var push: Push
    /// The token as lower-case hexadecimal digits.
    public var token: String
    /// The app's bundle id, such as `org.example.News`.
    public var bundle: String
    public var environment: Environment

    public init(push: Push, token: String, bundle: String, environment: Environment = .production) {
        self.push = push
        self.token = token
        self.bundle = bundle
        self.environment = environment
    }

    public var description: String { "\(push.rawValue) of \(bundle) (\(environment.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: ["push": push, "bundle": bundle]) }
}

/// The address and the keys of a browser, as `PushSubscription.toJSON()` writes them (W3C Push API).
public struct WebPushSubscription: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public struct Keys: Codable, Hashable, Sendable {
        /// The browser's public key, base64url.
        public var p256dh: String
        /// A secret that the browser shares, base64url.
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    public var endpoint: String
    public var keys: Keys

    public init(endpoint: String, keys: Keys) {
        self.endpoint = endpoint
        self.keys = keys
    }

    public var description: String { "a browser" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension DeviceRegistration {
    /// The maximum size of a registration as JSON, in bytes.
    package static let maximumBytes = 32 * 1024

    /// Returns the registration that a client sends as JSON.
    ///
    /// Throws if it is too long or malformed, or if it has an unknown member: with a misspelt `widgets`, a device would get
    /// the pushes of all widgets.
    package static func read(_ json: Data) throws(WireError) -> DeviceRegistration {
        guard json.count <= maximumBytes else {
            throw WireError.malformed(path: "", problem: "a registration has at most \(maximumBytes) bytes")
        }
        let registration = try WireJSON.decode(DeviceRegistration.self, from: json)
        for name in try WireJSON.memberNames(in: json) where !registration.memberNames.contains(name) {
            let owner = "a registration of the kind \(registration.address.kind.rawValue)"
            throw WireError.unknownMember(name, of: owner, known: registration.memberNames)
        }
        return registration
    }
}

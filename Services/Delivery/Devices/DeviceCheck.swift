// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rules for registrations, which come from apps and browsers.
enum DeviceCheck {
    /// Returns the first rule that a registration breaks, as a sentence for its developer; nil if it is valid.
    ///
    /// The sentence contains no part of an address.
    static func problem(of registration: DeviceRegistration) -> String? {
        let lists = [
            ("widgets", registration.widgets?.count), ("displays", registration.displays?.count),
            ("notify", registration.notify?.count),
        ]
        for (name, count) in lists {
            guard let count else { continue }
            if count > DeviceLimits.maximumNames {
                return "registration.\(name): has at most \(DeviceLimits.maximumNames) names"
            }
            // An empty list is a mistake: a device without widgets would never get a push.
            if count == 0, name != "notify" { return "registration.\(name): is empty; leave it out for all" }
        }
        switch registration.address {
        case .apns(let apns): return problem(of: apns)
        case .webPush(let subscription): return problem(of: subscription)
        }
    }

    private static func problem(of registration: APNsRegistration) -> String? {
        let digits = registration.token.utf8
        let allowed = DeviceLimits.tokenBytes
        guard digits.count.isMultiple(of: 2), allowed.contains(digits.count / 2), digits.allSatisfy(isHexadecimal)
        else {
            return "registration.token: must be \(allowed.lowerBound) to \(allowed.upperBound) bytes, hexadecimal"
        }
        guard isBundle(registration.bundle) else {
            return "registration.bundle: must be a bundle id such as org.example.News"
        }
        return nil
    }

    private static func problem(of subscription: WebPushSubscription) -> String? {
        guard WebPushEndpoint(subscription.endpoint) != nil else {
            return "registration.subscription.endpoint: must be \(WebPushEndpoint.rule)"
        }
        guard WebPushKeys(p256dh: subscription.keys.p256dh, auth: subscription.keys.auth) != nil else {
            return "registration.subscription.keys: must be a key of P-256 and a secret of 16 bytes, base64url"
        }
        return nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Returns whether a text has at least two parts of letters, digits and hyphens, separated by dots.
    private static func isBundle(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= DeviceLimits.maximumBundleLength && parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    }
            }
    }
}

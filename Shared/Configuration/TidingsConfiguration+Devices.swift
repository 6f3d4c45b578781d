// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension TidingsConfiguration {
    /// The settings for phones and browsers that register for pushes.
    public struct Devices: Sendable, Equatable {
        /// The key of a developer team for Apple's push service.
        public struct APNs: Sendable, Equatable {
            /// The path of the file `AuthKey_….p8`.
            public var keyFile: String
            public var keyID: String
            public var teamID: String
        }

        /// The number of characters in the ids of a key and of a team.
        public static let appleIDLength = 10
        /// The pushes that a device gets in 24 hours for each widget by default, and the time between two.
        ///
        /// Apple publishes no limit for widget pushes; a frequently viewed widget is reloaded 40 to 70 times a day. Both
        /// numbers are choices of this project.
        public static let defaultPerDay = 40
        public static let defaultSpacing: Duration = .seconds(20 * 60)

        /// The key for Apple's push service; nil if devices of Apple cannot register.
        public var apns: APNs?
        /// The address at which operators of push services can reach the operator of this installation; nil for none.
        public var contact: String?
        /// The pushes of each device and widget.
        public var budget: Destination.Budget

        public init() {
            budget = Destination.Budget(perDay: Self.defaultPerDay)
            budget.spacing = Self.defaultSpacing
        }

        /// Returns whether a text has the form of an id of Apple: 10 upper-case letters and digits.
        public static func isAppleID(_ text: String) -> Bool {
            let (letters, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
            return text.utf8.count == appleIDLength
                && text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) }
        }
    }
}

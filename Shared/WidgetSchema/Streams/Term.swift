// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of a period in which one instance of a service owns the service's store; later periods have higher terms.
///
/// If two instances are active, requests go to the instance with the higher term.
///
/// Terms are compared by ``timeline`` first, so that a term on a promoted PostgreSQL server is higher than all terms on
/// the former primary. Terms with the same timeline are compared by ``token``. Terms of different stores cannot be
/// compared.
public struct Term: ValidatedString {
    public static let rule = "a term is 8 hex digits, '-' and 20 digits"

    /// The timeline of the PostgreSQL server, which increases when a standby server is promoted; 0 for a SQLite store.
    public let timeline: UInt32
    /// The token of the instance that owns the store: a number that increases with each takeover of the store.
    public let token: UInt64

    public init(timeline: UInt32 = 0, token: UInt64) {
        self.timeline = timeline
        self.token = token
    }

    public init?(rawValue: String) {
        let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == Self.timelineDigits,
            parts[1].utf8.count == SequenceNumber.digits,
            let timeline = hexadecimalNumber(parts[0].utf8), let token = SequenceNumber(parts[1])
        else { return nil }
        self.init(timeline: UInt32(timeline), token: token.number)
    }

    public var rawValue: String {
        hexadecimalText([UInt64(timeline)]).suffix(Self.timelineDigits) + "-\(SequenceNumber(token))"
    }

    // Without these two, terms would be compared and hashed by their texts, as other raw values are.
    public static func == (left: Term, right: Term) -> Bool {
        left.timeline == right.timeline && left.token == right.token
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(timeline)
        hasher.combine(token)
    }

    public static func < (left: Term, right: Term) -> Bool {
        (left.timeline, left.token) < (right.timeline, right.token)
    }

    private static let timelineDigits = 8
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The addresses of the buses that a client uses: one bus, or two for redundancy.
///
/// The text form is one or two addresses, separated by a comma: `tcp://a:5555,tcp://b:5555`. The text may also list the
/// three endpoints of each bus instead: three endpoints for one bus, or six for two buses.
public struct BusAddresses: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of buses.
    public static let maximum = 2
    /// The number of endpoints of one bus.
    private static let endpoints = 3

    /// The addresses; never empty.
    public let all: [BusAddress]

    public init(_ address: BusAddress) { all = [address] }

    private init(all: [BusAddress]) { self.all = all }

    public init(_ text: String) throws(BusAddressError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let texts: [String]
        switch parts.count {
        case 1, Self.endpoints: texts = [text]
        case 2: texts = parts.map(String.init)
        case 2 * Self.endpoints:
            texts = [parts.prefix(Self.endpoints), parts.suffix(Self.endpoints)].map { $0.joined(separator: ",") }
        default:
            throw BusAddressError(
                text,
                "the address has \(parts.count) parts; one bus has 1 or 3, and \(Self.maximum) buses have 2 or 6"
            )
        }
        var all: [BusAddress] = []
        for text in texts { all.append(try BusAddress(text)) }
        guard Set(all).count == all.count else {
            throw BusAddressError(text, "both buses have the same address; name two different buses, or only one")
        }
        self.init(all: all)
    }

    /// The first address.
    public var first: BusAddress { all[0] }

    /// A Boolean value that indicates whether there is more than one bus.
    public var hasSeveral: Bool { all.count > 1 }

    /// All endpoints, separated by commas; this is a valid text form too.
    public var description: String { all.map(\.description).joined(separator: ",") }

    /// Returns the addresses, each transformed by a closure.
    public func map(_ change: (BusAddress) -> BusAddress) -> BusAddresses { BusAddresses(all: all.map(change)) }
}

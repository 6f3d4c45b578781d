// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The services on the bus; the raw value is the name under which a service registers and publishes.
public enum ServiceName: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
    case bus
    case fetcher
    case cache
    case layout
    case notifier
    case delivery
    case gateway

    /// The services of a complete system; `tidings up` stops them in reverse order.
    ///
    /// The fetchers stop first, and the bus last, so that each service can still report what it has.
    public static let chain: [ServiceName] = [.bus, .cache, .layout, .notifier, .delivery, .gateway, .fetcher]

    /// A Boolean value that indicates whether the service has a store, which backups contain.
    public var hasStore: Bool { self == .cache || self == .notifier || self == .delivery }
}

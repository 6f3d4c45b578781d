// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The services on the bus; the raw value is the name under which a service registers and publishes.
public enum ServiceName: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
    case bus
    case fetcher
    case cache
    case layout
    case notifier
    case gateway
}

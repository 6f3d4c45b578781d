// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The services of the bus, by the name they register and publish under.
public enum ServiceName: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
    case bus
    case fetcher
    case cache
    case layout
    case notifier
    case gateway
}

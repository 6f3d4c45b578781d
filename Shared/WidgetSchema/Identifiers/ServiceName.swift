// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The services of the bus, by the names under which they register and publish.
public enum ServiceName: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
    case bus
    case fetcher
    case cache
    case layout
    case notifier
    case gateway
}

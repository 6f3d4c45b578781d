// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A limit on concurrent inspections: of all hosts, and one of each host.
final class InspectionLimit: Sendable {
    static let maximum = 4

    private let hosts = Lock<Set<String>>([])

    /// Starts an inspection of a host; returns false if it must not begin now.
    func take(_ host: String) -> Bool {
        hosts.withLock { $0.count < Self.maximum && $0.insert(host).inserted }
    }

    func giveBack(_ host: String) { _ = hosts.withLock { $0.remove(host) } }
}

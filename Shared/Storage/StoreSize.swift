// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
public import Telemetry

/// The gauge `store.bytes`: the size of a service's store on disk, with its write-ahead log.
///
/// A store on a PostgreSQL server has no such gauge, because other tables share its files.
public struct StoreSize: Sendable {
    private let path: String
    private let gauge: Gauge

    /// Creates the gauge; returns nil if `store` is the address of a PostgreSQL server rather than a folder.
    public init?(of service: String, in store: String, metrics: Metrics) {
        guard case .folder(let folder) = StoreLocation(store) else { return nil }
        path = folder.database(of: service)
        gauge = metrics.gauge("store.bytes")
    }

    /// Measures the size and sets the gauge; a file that does not exist counts as 0 bytes.
    public func measure() {
        let bytes = [path, path + "-wal"].reduce(Int64(0)) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
        gauge.set(bytes)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The schema of a service's store: the migrations that make its tables.
public struct StoreSchema: Sendable {
    /// The name of the service: it names the database file in a folder, and marks the service's rows on a server.
    public var service: String
    public var migrations: [Migration]

    public init(service: String, migrations: [Migration]) {
        self.service = service
        self.migrations = migrations
    }
}

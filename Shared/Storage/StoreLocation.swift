// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The location of the stores: a folder with one database file for each service, or a PostgreSQL database with tables
/// for all services.
public enum StoreLocation: Sendable, Hashable {
    case folder(StoreFolder)
    /// The address of a database on a PostgreSQL server; the address may contain a password.
    case server(String)

    /// Creates a location from a path, or from the address of a database: `postgresql://USER@HOST,HOST/DATABASE`.
    public init(_ text: String) {
        self = Self.isAddress(text) ? .server(text) : .folder(StoreFolder(text))
    }

    /// Returns a Boolean value that indicates whether a text is the address of a database rather than a path.
    public static func isAddress(_ text: String) -> Bool { PostgreSQLAddress.schemes.contains(where: text.hasPrefix) }
}

extension StoreLocation: CustomStringConvertible {
    /// The path, or the address without user and password.
    public var description: String {
        switch self {
        case .folder(let folder): folder.path
        case .server(let url): (try? PostgreSQLAddress(url, application: "tidings").name) ?? "the store's address"
        }
    }
}

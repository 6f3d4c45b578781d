// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension StoreLocation {
    /// Returns a Boolean value that indicates whether a service has a store at this location.
    public func holds(_ service: String) throws -> Bool {
        switch self {
        case .folder(let folder): folder.holds(service)
        case .server(let url): try StoreServer(url: url).holds(service)
        }
    }

    /// Copies a consistent state of a service's store to a new SQLite file, even while the service uses the store.
    public func backUp(_ service: String, to file: String) throws {
        switch self {
        case .folder(let folder): try folder.backUp(service, to: file)
        case .server(let url): try StoreServer(url: url).backUp(service, to: file)
        }
    }

    /// Checks a copy of a service's store, and prepares the copy to replace the store at this location.
    ///
    /// The copy gets a token that no running process has, and a record that it was restored.
    ///
    /// Throws if the copy is damaged, or has a higher schema version than the store at this location. A copy for a
    /// server must have the same schema version as the store and contain the SQL of its own migrations; otherwise, the
    /// method throws.
    public func prepareRestore(of service: String, from copy: String) throws {
        switch self {
        case .folder(let folder):
            try StoreCopy(service: service, path: copy).prepare(present: try folder.present(service))
        case .server(let url):
            let present = try StoreServer(url: url).present(service)
            try StoreCopy(service: service, path: copy).prepare(present: present, needsSteps: true)
        }
    }

    /// Replaces a service's store with a copy in one transaction, even while the service uses the store.
    ///
    /// `copy` must have been prepared with `prepareRestore`. A process that has the store open finds another owner in
    /// its next transaction. A damaged database file is renamed first. Returns the new path of the damaged file; nil if
    /// no file was damaged.
    public func restore(_ service: String, from copy: String) throws -> String? {
        switch self {
        case .folder(let folder):
            return try folder.restore(service, from: copy)
        case .server(let url):
            try StoreServer(url: url).restore(service, from: copy)
            return nil
        }
    }
}

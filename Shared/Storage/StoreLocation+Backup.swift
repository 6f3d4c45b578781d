// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A place that contains stores: a folder or a server.
protocol StorePlace {
    /// A Boolean value that indicates whether a copy must contain the SQL of its own migrations to be restored here.
    var needsSteps: Bool { get }

    func holds(_ service: String) throws -> Bool
    func backUp(_ service: String, to file: String) throws
    /// Returns the schema version and the owner's token of a service's store; nil if the store is missing or damaged.
    func present(_ service: String) throws -> (schemaVersion: Int, token: Int64)?
    func restore(_ service: String, from copy: String) throws -> String?
}

extension StoreLocation {
    private var storePlace: any StorePlace {
        switch self {
        case .folder(let folder): folder
        case .server(let url): StoreServer(url: url)
        }
    }

    /// Returns a Boolean value that indicates whether a service has a store at this location.
    public func holds(_ service: String) throws -> Bool { try storePlace.holds(service) }

    /// Copies a consistent state of a service's store to a new SQLite file, even while the service uses the store.
    public func backUp(_ service: String, to file: String) throws { try storePlace.backUp(service, to: file) }

    /// Checks a copy of a service's store, and prepares the copy to replace the store at this location.
    ///
    /// The copy gets a token that no running process has, and a record that it was restored.
    ///
    /// Throws if the copy is damaged, or has a higher schema version than the store at this location. A copy for a
    /// server must have the same schema version as the store and contain the SQL of its own migrations; otherwise, the
    /// method throws.
    public func prepareRestore(of service: String, from copy: String) throws {
        let place = storePlace
        let present = try place.present(service)
        try StoreCopy(service: service, path: copy).prepare(present: present, needsSteps: place.needsSteps)
    }

    /// Replaces a service's store with a copy in one transaction, even while the service uses the store.
    ///
    /// `copy` must have been prepared with `prepareRestore`. A process that has the store open finds another owner in
    /// its next transaction. A damaged database file is renamed first. Returns the new path of the damaged file; nil if
    /// no file was damaged.
    public func restore(_ service: String, from copy: String) throws -> String? {
        try storePlace.restore(service, from: copy)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension StoreLocation {
    /// Returns a Boolean value that indicates whether a service has a store here.
    public func holds(_ service: String) throws -> Bool {
        switch self {
        case .folder(let folder): folder.holds(service)
        case .server(let url): try StoreServer(url: url).holds(service)
        }
    }

    /// Copies the store of a service, as it is at one moment, to a new SQLite file, while the service uses it.
    public func backUp(_ service: String, to file: String) throws {
        switch self {
        case .folder(let folder): try folder.backUp(service, to: file)
        case .server(let url): try StoreServer(url: url).backUp(service, to: file)
        }
    }

    /// Checks a copy of a service's store, and prepares it to take the place of the one here.
    ///
    /// The copy gets a token that no running process has, and notes that it was restored. Throws if it is damaged, or
    /// newer than the store here.
    public func prepareRestore(of service: String, from copy: String) throws {
        switch self {
        case .folder(let folder):
            try StoreCopy(service: service, path: copy).prepare(present: try folder.present(service))
        case .server(let url):
            let present = try StoreServer(url: url).present(service)
            try StoreCopy(service: service, path: copy).prepare(present: present, needsSteps: true)
        }
    }

    /// Replaces a service's store by a prepared copy in one transaction, also while the service uses it.
    ///
    /// The process that has it open finds another owner with its next transaction. A file that is damaged is set aside;
    /// returns its new path.
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

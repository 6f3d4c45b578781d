// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Storage
import WidgetSchema

/// The stores of a folder: those that a backup holds.
enum Stores {
    /// The services with a store.
    ///
    /// The cache's comes first: what the notifier knows beyond it does no harm, the other way
    /// round would be asked for.
    static let services = [ServiceName.cache, .notifier].map(\.rawValue)

    /// Copies the stores of a folder, while services use them, into one archive, and returns the names of its files.
    static func backUp(_ folder: String, to file: OutputFile) throws -> [String] {
        let stores = StoreFolder(folder)
        let present = services.filter(stores.holds)
        guard !present.isEmpty else { return [] }
        // A FIFO or a device has no room beside it.
        return try withScratch(in: file.folder ?? NSTemporaryDirectory()) { scratch in
            let names = present.map(StoreFolder.fileName)
            for (service, name) in zip(present, names) { try stores.backUp(service, to: "\(scratch)/\(name)") }
            try file.write { sink in try TapeArchive.write(names.map { ($0, "\(scratch)/\($0)") }, to: sink) }
            return names
        }
    }

    /// Puts the stores of an archive into a folder, also while services use it: they notice and restart.
    ///
    /// Everything is checked before anything is replaced. A damaged store in the folder is set aside. Returns the names
    /// of the stores, and the paths of those set aside.
    static func restore(_ input: FileHandle, into folder: String) throws -> (names: [String], setAside: [String]) {
        let first = try TapeArchive.readFirstHeader(from: input)
        let isNew = !FileManager.default.fileExists(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // An empty folder is not left behind; one with a store in it cannot be removed this way.
        defer { if isNew { rmdir(folder) } }
        let stores = StoreFolder(folder)
        return try withScratch(in: folder) { scratch in
            let names = Set(services.map(StoreFolder.fileName))
            let found = try TapeArchive.extract(names, after: first, from: input, into: scratch)
            guard !found.isEmpty else { throw TapeArchive.Fault(description: "there is no store in it") }
            let restored = services.filter { found.contains(StoreFolder.fileName(of: $0)) }
            func copy(of service: String) -> String { "\(scratch)/\(StoreFolder.fileName(of: service))" }
            for service in restored { try stores.prepareRestore(of: service, from: copy(of: service)) }
            let aside = try restored.compactMap { try stores.restore($0, from: copy(of: $0)) }
            return (restored.map(StoreFolder.fileName), aside)
        }
    }

    /// Runs `body` with a folder of its own in `parent`, which is removed afterwards.
    private static func withScratch<Result>(in parent: String, _ body: (String) throws -> Result) throws -> Result {
        let scratch = "\(parent)/.tidings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: scratch,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        return try body(scratch)
    }
}

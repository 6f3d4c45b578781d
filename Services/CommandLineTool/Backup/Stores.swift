// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import WidgetSchema

/// The stores that a backup contains.
enum Stores {
    /// The services with a store, in the order in which their stores are copied.
    ///
    /// The cache's store comes first: a notifier that is ahead of the cache is harmless, but a cache that is ahead of
    /// the notifier would cause requests for missing cycles.
    static let services = ServiceName.chain.filter(\.hasStore).map(\.rawValue)

    /// The services whose stores may be missing: a system of an earlier version has none.
    static let optional: Set<String> = [ServiceName.delivery.rawValue]

    /// The function that checks a copy of a service's store: it throws an error if the store must not be replaced by the
    /// copy.
    typealias Check = (_ service: String, _ copy: String) throws -> Void

    /// Copies the stores and the files of panels into one archive, and returns the names of the stores' files in the archive, and
    /// of the folder `panels` if there are any.
    ///
    /// `panels` is the path of the gateway's folder; nil if nothing of panels is copied.
    /// If there is no store, writes no archive and returns an empty array. Services may use the stores during the copy.
    /// Throws an error if one of the stores is missing, or if `restore` would not accept the archive.
    static func backUp(
        _ stores: StoreLocation,
        to file: OutputFile,
        panels: String? = nil,
        check: Check = CopyCheck.run
    ) throws -> [String] {
        let present = try services.filter(stores.holds)
        guard !present.isEmpty else { return [] }
        if let missing = services.first(where: { !present.contains($0) && !optional.contains($0) }) {
            throw Incomplete(place: stores, missing: missing)
        }
        // A FIFO or a device has no folder for temporary files.
        return try ScratchFolder.with(in: file.folder ?? NSTemporaryDirectory()) { scratch in
            let copies = StoreFolder(scratch)
            // All are copied first, because a check takes long for large stores, and the copies should be of one time.
            for service in present { try stores.backUp(service, to: copies.database(of: service)) }
            for service in present { try check(service, copies.database(of: service)) }
            let names = present.map(StoreFolder.fileName)
            let files = try panels.map { try PanelFiles.copy(from: $0, to: scratch) } ?? []
            try file.write { sink in
                try TapeArchive.write((names + files).map { ($0, "\(scratch)/\($0)") }, to: sink)
            }
            return files.isEmpty ? names : names + [PanelFiles.folder]
        }
    }

    /// Restores the stores of an archive; services that use the stores notice this and restart.
    ///
    /// The archive and all stores in it are checked before the first store is replaced. If an existing store is damaged,
    /// its file is renamed and kept.
    ///
    /// The files of panels are restored to the gateway's folder `panels`, if the archive has any.
    ///
    /// In the result, `names` contains the file names of the restored stores, and `setAside` the new paths of the
    /// damaged files.
    static func restore(
        _ input: FileHandle,
        to stores: StoreLocation,
        panels: String? = nil,
        check: Check = CopyCheck.run
    ) throws -> (names: [String], setAside: [String]) {
        let first = try TapeArchive.readFirstHeader(from: input)
        return try withScratch(of: stores) { scratch in
            let copies = StoreFolder(scratch)
            let found = try TapeArchive.extract(
                TapeArchive.Contents(
                    required: services.filter { !optional.contains($0) }.map(StoreFolder.fileName),
                    optional: optional.map(StoreFolder.fileName)
                ),
                after: first,
                from: input,
                into: scratch
            )
            let present = services.filter { found.contains(StoreFolder.fileName(of: $0)) }
            for service in present { try check(service, copies.database(of: service)) }
            var result = try replace(present, of: stores, by: copies)
            let files = found.filter(PanelFiles.contains).sorted()
            guard let panels, !files.isEmpty else { return result }
            do {
                try PanelFiles.restore(files, from: scratch, to: panels)
            } catch {
                throw RestoredInPart(
                    restored: present,
                    failed: "gateway (\(panels))",
                    reason: SystemError.text(error),
                    setAside: result.setAside
                )
            }
            result.names.append(PanelFiles.folder)
            return result
        }
    }

    /// Copies all stores to a location that has none of them yet, and returns the names of their files.
    ///
    /// Throws `Occupied` if the location already has one of the stores.
    static func copy(from source: StoreLocation, to target: StoreLocation) throws -> [String] {
        let present = try services.filter(source.holds)
        for service in present where try target.holds(service) { throw Occupied(place: target, service: service) }
        return try withScratch(of: target) { scratch in
            let copies = StoreFolder(scratch)
            for service in present { try source.backUp(service, to: copies.database(of: service)) }
            for service in present { try CopyCheck.run(service, copies.database(of: service)) }
            return try replace(present, of: target, by: copies).names
        }
    }

    /// The error for a place that has some of the stores, but not all of them.
    struct Incomplete: Error, CustomStringConvertible {
        var place: StoreLocation
        var missing: String

        var description: String {
            "\(place) has no store of the \(missing), and a backup needs the stores of the "
                + "\(services.filter { !optional.contains($0) }.joined(separator: " and the ")): run the \(missing) once, or make the backup where all "
                + "stores are"
        }
    }

    /// The error for a destination that already has a store.
    struct Occupied: Error, CustomStringConvertible {
        var place: StoreLocation
        var service: String

        var description: String {
            "\(place) has a store of the \(service) already: 'tidings restore' replaces stores, 'copy' does not"
        }
    }

    /// The error for stores of which some were replaced before one could not be.
    struct RestoredInPart: Error, CustomStringConvertible {
        var restored: [String]
        var failed: String
        var reason: String
        /// The new paths of damaged files that were renamed.
        var setAside: [String]

        var description: String {
            "the store of the \(restored.joined(separator: " and the ")) is in place, but the store of the \(failed) "
                + "is not: \(reason)"
        }
    }

    private static func replace(
        _ services: [String],
        of stores: StoreLocation,
        by copies: StoreFolder
    ) throws -> (names: [String], setAside: [String]) {
        for service in services { try stores.prepareRestore(of: service, from: copies.database(of: service)) }
        var setAside: [String] = []
        for (index, service) in services.enumerated() {
            do {
                if let aside = try stores.restore(service, from: copies.database(of: service)) {
                    setAside.append(aside)
                }
            } catch {
                guard index > 0 else { throw error }
                throw RestoredInPart(
                    restored: Array(services[..<index]),
                    failed: service,
                    reason: SystemError.text(error),
                    setAside: setAside
                )
            }
        }
        return (services.map(StoreFolder.fileName), setAside)
    }

    /// Runs `body` with the path of a temporary folder inside the folder of the stores.
    ///
    /// If the folder of the stores is missing, it is created. For stores on a server, the temporary folder is in the
    /// system's folder for temporary files.
    private static func withScratch<Result>(
        of stores: StoreLocation,
        _ body: (String) throws -> Result
    ) throws -> Result {
        guard case .folder(let folder) = stores else { return try ScratchFolder.with(in: NSTemporaryDirectory(), body) }
        let isNew = !FileManager.default.fileExists(atPath: folder.path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // `rmdir` removes the new folder only if it is empty, so it keeps a folder with a store.
        defer { if isNew { rmdir(folder.path) } }
        return try ScratchFolder.with(in: folder.path, body)
    }
}

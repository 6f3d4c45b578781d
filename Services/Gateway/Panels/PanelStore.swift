// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Cryptography
import Foundation
import Glibc
import Locking
import ServiceEngine
import Telemetry
import WebServer
import WidgetSchema

/// The store of the panels: a folder with two files for each panel, its record and the picture that it shows.
///
/// A picture has the name of its digest and is written before the record that names it; a record is replaced as a whole. So a
/// panel's files are right after a power failure at any time.
///
/// One gateway at a time writes, and locks the folder for it. It does so when a panel asks it, so a gateway that no panel asks
/// leaves the folder to another one. Without the lock, the files are read again when they change.
final class PanelStore: ServiceStore, Sendable {
    /// The reason why the folder cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ problem: String, _ code: Int32 = errno) {
            description = "\(path): \(problem): \(String(cString: strerror(code)))"
        }

        init(description: String) { self.description = description }
    }

    /// The maximum size of a record in bytes.
    private static let maximumRecordBytes = 64 * 1024
    /// The maximum size of a picture in bytes.
    private static let maximumPictureBytes = 4 * 1024 * 1024
    private static let pairingFile = "pairing.json"
    private static let recordSuffix = ".json"
    private static let pictureSuffix = ".png"
    private static let draftSuffix = ".new"
    private static let lockFile = ".lock"
    /// The number of hexadecimal digits in a file's name that stand for a panel, and for a picture.
    private static let digits = 32

    private struct Memory {
        /// The state as it is on disk; nil before the first load.
        var state: PanelState?
        var pictures: [String: SharedBytes] = [:]
        /// The descriptor of the locked file; -1 if the folder is not locked.
        var lock: Int32 = -1
        /// The time of the folder's last change before the files were read without the lock; nil if there is no folder.
        var changed: Instant?
    }

    /// The path of the folder; nil if nothing is stored.
    private let folder: String?
    private let log: Logger
    private let memory = Lock(Memory())
    /// The hashes of the keys by the keys of the records, which are read without waiting for the disk.
    private let keyHashes = Lock<[String: String]>([:])

    init(folder: String?, log: Logger) {
        self.folder = folder
        self.log = log
    }

    deinit {
        memory.withLock { memory in
            if memory.lock >= 0 { Glibc.close(memory.lock) }
        }
    }

    var reader: Void { () }
    func setPaused(_ paused: Bool) {}

    // MARK: Reading

    func load() throws(StoreFailure) -> PanelState {
        do throws(Failure) {
            return try memory.withLock { memory throws(Failure) -> PanelState in
                if let folder { forgetIfReplaced(folder, &memory) }
                if let state = memory.state { return state }
                (memory.pictures, memory.changed) = ([:], folder.flatMap(Self.changed))
                let isLocked = memory.lock >= 0
                let state =
                    if let folder { try read(folder, &memory.pictures, isLocked: isLocked) } else { PanelState() }
                memory.state = state
                keyHashes.withLock { $0 = state.records.compactMapValues(\.keyHash) }
                return state
            }
        } catch {
            throw .discard(error)
        }
    }

    /// Locks the folder if `locks` is true and no other gateway has; returns true if the state must be loaded again.
    func refresh(locks: Bool) -> Bool {
        guard let folder else { return false }
        return memory.withLock { memory in
            guard memory.lock < 0 else { return false }
            if locks, let lock = try? Self.lock(folder) {
                memory = Memory()
                memory.lock = lock
                return true
            }
            guard memory.state != nil, memory.changed != Self.changed(folder) else { return false }
            memory.state = nil
            return true
        }
    }

    /// Returns whether the pairing window is open at a time.
    func isPairing(at now: Instant) -> Bool {
        memory.withLock { memory in memory.state?.pairing.map { now < $0.until } ?? false }
    }

    /// Returns the time of a folder's last change, at which a file was written or removed; nil if there is no folder.
    private static func changed(_ folder: String) -> Instant? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        return Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }

    /// Returns the picture that a panel shows; nil if there is none of this digest.
    func picture(of key: String, _ digest: ContentDigest) -> SharedBytes? {
        memory.withLock { memory in
            memory.state?.records[key]?.shown?.digest == digest ? memory.pictures[key] : nil
        }
    }

    /// Returns the picture that a panel was told to show last; nil if there is none.
    func shownPicture(of key: String) -> SharedBytes? { memory.withLock { $0.pictures[key] } }

    /// Returns whether a panel sends the key of its record.
    func isKnown(_ headers: PanelHeaders) -> Bool {
        guard let sent = headers.keyHash, let stored = keyHashes.withLock({ $0[headers.id.rawValue] }) else {
            return false
        }
        return SHA256.areEqual(stored, sent)
    }

    /// Forgets everything, and returns true, if a restore has replaced the files of the folder.
    ///
    /// A restore replaces the file of the lock last.
    @discardableResult
    private func forgetIfReplaced(_ folder: String, _ memory: inout Memory) -> Bool {
        guard memory.lock >= 0 else { return false }
        var (held, current) = (stat(), stat())
        guard fstat(memory.lock, &held) == 0,
            stat("\(folder)/\(Self.lockFile)", &current) != 0 || held.st_ino != current.st_ino
                || held.st_dev != current.st_dev
        else { return false }
        Glibc.close(memory.lock)
        memory = Memory()
        return true
    }

    /// Locks a folder, which is created if it does not exist; the lock ends with the descriptor.
    private static func lock(_ folder: String) throws(Failure) -> Int32 {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(description: "\(folder): the folder cannot be created: \(error.localizedDescription)")
        }
        let path = "\(folder)/\(lockFile)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path, "the file cannot be opened") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw Failure(path, "another gateway uses the panels of this folder; let panels ask that one", code)
        }
        return descriptor
    }

    /// Reads the files of a folder; throws if one exists and cannot be read: an empty store would refuse all panels.
    private func read(
        _ folder: String,
        _ pictures: inout [String: SharedBytes],
        isLocked: Bool
    ) throws(Failure) -> PanelState {
        var state = PanelState()
        let names = try Self.names(folder)
        var kept: Set<String> = []
        for name in names where name.hasSuffix(Self.recordSuffix) {
            let path = "\(folder)/\(name)"
            let data = try Self.contents(path, maximum: Self.maximumRecordBytes)
            if name == Self.pairingFile {
                state.pairing = data.flatMap { try? WireJSON.decode(PanelReport.Pairing.self, from: $0) }
                continue
            }
            guard let record = data.flatMap({ try? WireJSON.decode(PanelRecord.self, from: $0) }),
                Self.name(of: record.key) + Self.recordSuffix == name, state.records.count < PanelCore.maximumRecords
            else {
                log.warning("The record of a panel is invalid; pair the panel again.", [.path: path])
                let stem = name.dropLast(Self.recordSuffix.count) + "-"
                kept.formUnion(names.filter { $0.hasPrefix(stem) })
                continue
            }
            state.records[record.key] = record
            guard let shown = record.shown else { continue }
            let file = Self.path(folder, record.key, shown.digest)
            let picture = try Self.contents(file, maximum: Self.maximumPictureBytes)
            if let picture, SHA256.hexDigest(of: picture) == shown.digest.rawValue {
                pictures[record.key] = SharedBytes(picture)
                kept.insert(String(file.dropFirst(folder.utf8.count + 1)))
            } else {
                // Without its bytes, the picture is told under a new name.
                state.records[record.key]?.shown = nil
                log.warning("The picture of a panel is missing or invalid; it will be drawn again.", [.path: file])
            }
        }
        // The files of a process that ended while it wrote.
        for name in names where isLocked && (name.hasSuffix(Self.pictureSuffix) || name.hasSuffix(Self.draftSuffix)) {
            if !kept.contains(name) { unlink("\(folder)/\(name)") }
        }
        return state
    }

    /// Returns the names of the files in a folder; none if it does not exist.
    private static func names(_ folder: String) throws(Failure) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            if access(folder, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) { return [] }
            throw Failure(description: "\(folder): the folder cannot be read: \(error.localizedDescription)")
        }
    }

    /// Returns the contents of a file; nil if it does not exist, or is too large.
    private static func contents(_ path: String, maximum: Int) throws(Failure) -> Data? {
        do throws(FileProblem) {
            let bytes = try FileReader.read(path, maximum: maximum + 1)
            return bytes.count > maximum ? nil : Data(bytes)
        } catch .system(SystemCallError(ENOENT)) {
            return nil
        } catch {
            throw Failure(description: "\(path): the file cannot be read: \(error)")
        }
    }

    // MARK: Writing

    func commit(_ writes: [PanelWrite]) throws(StoreFailure) {
        do throws(Failure) {
            try memory.withLock { memory throws(Failure) -> Void in
                if let folder, forgetIfReplaced(folder, &memory) {
                    throw Failure(description: "\(folder): the files were restored; they are read again")
                }
                if let folder, memory.lock < 0, !writes.isEmpty {
                    let isCurrent = memory.changed == Self.changed(folder)
                    memory.lock = try Self.lock(folder)
                    if !isCurrent {
                        memory.state = nil
                        throw Failure(description: "\(folder): another gateway has written; the files are read again")
                    }
                }
                for write in writes { try apply(write, &memory) }
            }
        } catch {
            throw .discard(error)
        }
    }

    private func apply(_ write: PanelWrite, _ memory: inout Memory) throws(Failure) {
        switch write {
        case .record(let record, let png):
            let key = record.key
            let before = memory.state?.records[key]?.shown?.digest
            if let folder {
                let picture = record.shown.map { Self.path(folder, key, $0.digest) }
                if let png, let picture { try Self.replace(picture, with: png.data) }
                do throws(Failure) {
                    try Self.replace(Self.path(folder, key), with: try Self.encoded(record))
                } catch {
                    if png != nil, let picture, before != record.shown?.digest { unlink(picture) }
                    throw error
                }
                if let before, before != record.shown?.digest { unlink(Self.path(folder, key, before)) }
            }
            memory.state?.records[key] = record
            keyHashes.withLock { $0[key] = record.keyHash }
            if let png { memory.pictures[key] = png }
        case .remove(let key):
            if let folder {
                let path = Self.path(folder, key)
                try Self.remove(path)
                if let digest = memory.state?.records[key]?.shown?.digest { unlink(Self.path(folder, key, digest)) }
                try Self.synchronizeFolder(of: path)
            }
            memory.state?.records[key] = nil
            keyHashes.withLock { $0[key] = nil }
            memory.pictures[key] = nil
        case .pairing(let pairing):
            if let folder {
                let path = "\(folder)/\(Self.pairingFile)"
                if let pairing {
                    try Self.replace(path, with: try Self.encoded(pairing))
                } else {
                    try Self.remove(path)
                }
            }
            memory.state?.pairing = pairing
        }
    }

    private static func encoded(_ value: some Encodable) throws(Failure) -> Data {
        do throws(WireError) {
            return try WireJSON.encode(value)
        } catch {
            throw Failure(description: "The record of a panel cannot be written: \(error)")
        }
    }

    /// Returns the name of a panel's record without its suffix; ids have characters that not all file systems allow.
    private static func name(of key: String) -> String { String(SHA256.hexDigest(of: key).prefix(digits)) }

    private static func path(_ folder: String, _ key: String) -> String {
        "\(folder)/\(name(of: key))\(recordSuffix)"
    }

    private static func path(_ folder: String, _ key: String, _ digest: ContentDigest) -> String {
        "\(folder)/\(name(of: key))-\(digest.rawValue.prefix(digits))\(pictureSuffix)"
    }

    /// Removes a file; does nothing if it does not exist.
    private static func remove(_ path: String) throws(Failure) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(path, "the file cannot be removed") }
    }

    /// Replaces a file as a whole, durably.
    private static func replace(_ path: String, with data: Data) throws(Failure) {
        do throws(SystemCallError) {
            let draft = try FileDraft(for: path, at: path + draftSuffix)
            try draft.write(data.bytes)
            try draft.replace()
        } catch {
            throw Failure(path, "the file cannot be written", error.code)
        }
    }

    /// Waits until the names of the files in the folder of a file are on disk.
    private static func synchronizeFolder(of path: String) throws(Failure) {
        do throws(SystemCallError) {
            try FilePath.synchronizeFolder(of: path)
        } catch {
            throw Failure(path, "the folder cannot be written", error.code)
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of the files of panels in backups.
@Suite struct PanelFilesTests {
    private static let migrations = [Migration(1, "CREATE TABLE note (body TEXT);", postgreSQL: [])]
    private static let name = String(repeating: "0a", count: 16)

    private static func accept(_ service: String, _ copy: String) {}

    /// Returns the visible files of a folder, with their contents.
    private func files(_ folder: URL) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self))
            }
        )
    }

    @Test func aBackupHasTheFilesOfPanelsAndARestorePutsThemInPlaceOfLaterOnes() async throws {
        try await withTemporaryFolder { folder in
            let stores = StoreLocation.folder(StoreFolder(folder.path))
            for service in ["cache", "notifier"] {
                try FencedDatabase(stores, StoreSchema(service: service, migrations: Self.migrations)).close()
            }
            let panels = folder.appending(path: "panels")
            try FileManager.default.createDirectory(at: panels, withIntermediateDirectories: false)
            let kept = ["\(Self.name).json": "record", "\(Self.name)-\(Self.name).png": "picture"]
            let others = ["\(Self.name).json.new": "draft", "pairing.json": "window", "notes.txt": "text"]
            for (name, text) in kept.merging(others, uniquingKeysWith: { first, _ in first }) {
                try Data(text.utf8).write(to: panels.appending(path: name))
            }
            try Data().write(to: panels.appending(path: ".lock"))
            let backup = folder.appending(path: "backup.tar").path
            let names = try Stores.backUp(stores, to: OutputFile(backup), panels: panels.path, check: Self.accept)
            #expect(names.last == "panels")

            // Later, the record has changed, and another panel was paired.
            try Data("later".utf8).write(to: panels.appending(path: "\(Self.name).json"))
            try Data("another".utf8).write(to: panels.appending(path: "ff.json"))
            let lock = try FileManager.default.attributesOfItem(atPath: panels.appending(path: ".lock").path)
            let restored = try Stores.restore(
                try InputFile.open(backup),
                to: stores,
                panels: panels.path,
                check: Self.accept
            )
            #expect(restored.names.last == "panels")
            #expect(try files(panels) == kept.merging(others, uniquingKeysWith: { first, _ in first }))
            // A running gateway notices another file of the lock.
            let now = try FileManager.default.attributesOfItem(atPath: panels.appending(path: ".lock").path)
            #expect(lock[.systemFileNumber] as? Int != now[.systemFileNumber] as? Int)

            // A backup without such files leaves the present ones.
            _ = try Stores.backUp(stores, to: OutputFile(backup), check: Self.accept)
            let before = try files(panels)
            let again = try Stores.restore(
                try InputFile.open(backup),
                to: stores,
                panels: panels.path,
                check: Self.accept
            )
            #expect(again.names.count == 2)
            #expect(try files(panels) == before)
        }
    }

    @Test func aRestoreByRootGivesPanelFilesToTheOwnerOfTheStore() async throws {
        try await withTemporaryFolder { folder in
            let (scratch, store) = (folder.appending(path: "scratch"), folder.appending(path: "store"))
            for path in [scratch.appending(path: "panels"), store] {
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            let member = "panels/\(Self.name).json"
            try Data("record".utf8).write(to: scratch.appending(path: member))
            // Other users than root can only have files of their own.
            let (owner, group): (uid_t, gid_t) = geteuid() == 0 ? (4_711, 4_712) : (geteuid(), getegid())
            #expect(chown(store.path, owner, group) == 0)
            // The second restore replaces files that exist.
            for _ in 0..<2 {
                try PanelFiles.restore([member], from: scratch.path, to: store.appending(path: "panels").path)
                for path in ["panels", member, "panels/.lock"] {
                    let file = try FileManager.default.attributesOfItem(atPath: store.appending(path: path).path)
                    #expect(file[.ownerAccountID] as? Int == Int(owner), "\(path)")
                    #expect(file[.groupOwnerAccountID] as? Int == Int(group), "\(path)")
                }
            }
        }
    }

    @Test(arguments: ["folder", "loop", "too large"])
    func aBackupFailsIfARecordOfAPanelCannotBeRead(_ problem: String) async throws {
        try await withTemporaryFolder { folder in
            let panels = folder.appending(path: "gateway")
            try FileManager.default.createDirectory(at: panels, withIntermediateDirectories: false)
            let record = panels.appending(path: "\(Self.name).json").path
            switch problem {
            case "folder":
                try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
            case "loop": try FileManager.default.createSymbolicLink(atPath: record, withDestinationPath: record)
            default: try Data(count: Int(PanelFiles.maximumBytes) + 1).write(to: URL(filePath: record))
            }
            let failure = #expect(throws: PanelFiles.Fault.self) {
                try PanelFiles.copy(from: panels.path, to: folder.path)
            }
            #expect(failure?.description.hasPrefix("\(record): the file of a panel ") == true)
        }
    }

    @Test func aMissingFolderOfPanelsIsABackupWithoutPanels() async throws {
        try await withTemporaryFolder { folder in
            let copied = try PanelFiles.copy(from: "\(folder.path)/missing", to: folder.path)
            #expect(copied == [])
        }
    }

    @Test(arguments: [
        "panels/../x.json", "panels/a/b.json", "panels/.lock", "panels/x.json", "panels/.json", "other/aa.json",
    ])
    func otherNamesAreNoFilesOfPanels(name: String) {
        #expect(!PanelFiles.contains(name))
    }
}

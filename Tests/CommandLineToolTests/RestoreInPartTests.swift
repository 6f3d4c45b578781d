// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import TestSupport
import Testing

@testable import CommandLineTool

/// A restore of which only the first store can be replaced.
@Suite struct RestoreInPartTests {
    private static let migrations = [Migration(1, "CREATE TABLE note (body TEXT);", postgreSQL: [])]

    /// Accepts each copy: the tables of these stores are not those of the services.
    private static func accept(_ service: String, _ copy: String) {}

    private func open(_ service: String, in folder: StoreLocation) throws -> FencedDatabase {
        try FencedDatabase(folder, StoreSchema(service: service, migrations: Self.migrations))
    }

    @Test(arguments: ["cache", "notifier"])
    func aBackupOfOneStoreAloneIsRefusedWithTheNameOfTheOther(present: String) async throws {
        try await withTemporaryFolder { folder in
            let stores = StoreLocation.folder(StoreFolder(folder.path))
            try open(present, in: stores).close()
            let backup = folder.appending(path: "backup.tar").path
            let failure = #expect(throws: Stores.Incomplete.self) {
                try Stores.backUp(stores, to: OutputFile(backup), check: Self.accept)
            }
            #expect(failure?.missing == (present == "cache" ? "notifier" : "cache"))
            #expect(!FileManager.default.fileExists(atPath: backup))
        }
    }

    @Test func aStoreThatIsNotThatOfTheServiceIsNotBackedUp() async throws {
        try await withTemporaryFolder { folder in
            let stores = StoreLocation.folder(StoreFolder(folder.path))
            for service in ["cache", "notifier"] { try open(service, in: stores).close() }
            let failure = #expect(throws: CopyCheck.Fault.self) {
                try Stores.backUp(stores, to: OutputFile(folder.appending(path: "backup.tar").path))
            }
            #expect(failure?.description == "cache.sqlite: the table 'note' is foreign: the cache has none")
        }
    }

    @Test func aRestoreThatFailsAfterTheFirstStoreNamesTheStoresThatWereAndWereNotReplaced() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = StoreLocation.folder(StoreFolder(path))
        for service in ["cache", "notifier"] { try open(service, in: folder).close() }
        let backup = "\(path)/backup.tar"
        #expect(try Stores.backUp(folder, to: OutputFile(backup), check: Self.accept).count == 2)
        let other = try Database.open(existing: "\(path)/\(StoreFolder.fileName(of: "notifier"))")
        try other.transaction { transaction in
            try transaction.execute("INSERT INTO note (body) VALUES ('held')")
            let begun = ContinuousClock.now
            let failure = #expect(throws: Stores.RestoredInPart.self) {
                try Stores.restore(try InputFile.open(backup), to: folder, check: Self.accept)
            }
            #expect(ContinuousClock.now - begun < .seconds(20), "a restore waits for 10 s for a lock")
            #expect(failure?.restored == ["cache"])
            #expect(failure?.failed == "notifier")
            #expect(failure?.description.contains("another process is using this database") == true)
        }
        try other.close()
        let cache = try open("cache", in: folder)
        #expect(cache.wasRestored)
        cache.close()
        let notifier = try open("notifier", in: folder)
        #expect(!notifier.wasRestored)
        notifier.close()
    }
}

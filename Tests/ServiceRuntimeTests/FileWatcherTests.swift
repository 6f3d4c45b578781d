// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import MessageBus
import ServiceRuntime
import TestSupport
import Testing

/// Files that are watched: told when they are whole, and only then.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FileWatcherTests {
    private let reports = Inbox<FilesChanged>(maximumCount: 1000, maximumBytes: .max)

    /// Runs `body` with a directory whose files are watched.
    private func withWatcher(_ files: Set<String>, _ body: (URL) async throws -> Void) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let watcher = try FileWatcher(directory: folder.path, target: .files(files)) { [reports] in reports.post($0) }
        defer { watcher.stop() }
        // The thread watches when it has told of a first change.
        try await write(folder, until: files.sorted()[0])
        try await body(folder)
    }

    /// Replaces a file until that is told: the watcher may not have begun.
    private func write(_ folder: URL, until file: String) async throws {
        let url = folder.appending(path: file)
        try createFolder(url.deletingLastPathComponent())
        while try await next(within: .milliseconds(100)) == nil { try Data("x".utf8).write(to: url, options: .atomic) }
        while try await next(within: .milliseconds(100)) != nil {}
    }

    /// Returns all reported paths, until these are among them or nothing more is reported.
    private func told(until paths: Set<String>) async throws -> Set<String> {
        var told: Set<String> = []
        while !told.isSuperset(of: paths), let report = try await next() { told.formUnion(report.paths ?? []) }
        return told
    }

    private func next(within timeout: Duration = .seconds(10)) async throws -> FilesChanged? {
        let deadline = ContinuousClock.now + timeout
        return try await ServiceThread.run(named: "wait") { [reports] in
            reports.nextBatch(maximum: 1, until: deadline).first
        }
    }

    @Test func anAtomicReplacementIsToldWithinASecond() async throws {
        try await withWatcher(["a.json", "b.json"]) { (folder: URL) async throws in
            let start = ContinuousClock.now
            try Data("new".utf8).write(to: folder.appending(path: "b.json"), options: .atomic)
            #expect(try await next()?.paths == ["b.json"])
            #expect(ContinuousClock.now - start < .seconds(1))
        }
    }

    @Test func aFileThatIsBeingWrittenIsToldWhenItIsClosed() async throws {
        try await withWatcher(["a.json"]) { (folder: URL) async throws in
            let handle = open(folder.appending(path: "a.json").path, O_WRONLY | O_TRUNC)
            #expect(Glibc.write(handle, "half", 4) == 4)
            #expect(try await next(within: .milliseconds(50)) == nil)
            close(handle)
            #expect(try await next()?.paths == ["a.json"])
        }
    }

    @Test func otherFilesAreNobodysBusiness() async throws {
        try await withWatcher(["a.json"]) { (folder: URL) async throws in
            try Data("x".utf8).write(to: folder.appending(path: "other.json"))
            try Data("x".utf8).write(to: folder.appending(path: "a.json"))
            #expect(try await next()?.paths == ["a.json"])
        }
    }

    @Test func aDirectoryThatComesLaterBringsItsFiles() async throws {
        try await withWatcher(["a.json", "sub/deep/b.json"]) { (folder: URL) async throws in
            let staged = folder.appending(path: "staged/deep")
            try createFolder(staged)
            try Data("x".utf8).write(to: staged.appending(path: "b.json"))
            #expect(rename(folder.appending(path: "staged").path, folder.appending(path: "sub").path) == 0)
            #expect(try await told(until: ["sub/deep/b.json"]) == ["sub/deep/b.json"])
            while try await next(within: .milliseconds(50)) != nil {}
            try Data("y".utf8).write(to: folder.appending(path: "sub/deep/b.json"), options: .atomic)
            #expect(try await next()?.paths == ["sub/deep/b.json"])
        }
    }

    @Test func aRemovedFileIsToldWithinASecond() async throws {
        try await withWatcher(["a.json", "b.json"]) { (folder: URL) async throws in
            try Data("x".utf8).write(to: folder.appending(path: "b.json"))
            while try await next(within: .milliseconds(50)) != nil {}
            let start = ContinuousClock.now
            #expect(unlink(folder.appending(path: "b.json").path) == 0)
            #expect(try await next()?.paths == ["b.json"])
            // A file that is moved away is removed, too.
            let away = folder.appending(path: "away")
            #expect(rename(folder.appending(path: "a.json").path, away.path) == 0)
            #expect(try await next()?.paths == ["a.json"])
            #expect(ContinuousClock.now - start < .seconds(2))
        }
    }

    @Test func aRemovedDirectoryTakesItsFilesAlong() async throws {
        try await withWatcher(["sub/a.json", "sub/deep/b.json"]) { (folder: URL) async throws in
            let sub = folder.appending(path: "sub")
            try createFolder(sub.appending(path: "deep"))
            while try await next(within: .milliseconds(200)) != nil {}
            #expect(rename(sub.path, folder.appending(path: "away").path) == 0)
            let files: Set = ["sub/a.json", "sub/deep/b.json"]
            #expect(try await told(until: files) == files)
        }
    }

    @Test func aDirectoryThatDoesNotExistYetIsWatchedWhenItAppears() async throws {
        let parent = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: parent) }
        let folder = parent.appending(path: "files/sub")
        let directory = parent.appending(path: "files").path
        let watcher = try FileWatcher(directory: directory, target: .files(["sub/a.json"])) { [reports] in
            reports.post($0)
        }
        defer { watcher.stop() }
        let start = ContinuousClock.now
        try createFolder(folder)
        try Data("x".utf8).write(to: folder.appending(path: "a.json"))
        #expect(try await next()?.paths == ["sub/a.json"])
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test func aLinkThatIsReplacedCountsForWhatIsBehindIt() async throws {
        try await withWatcher(["a.json"]) { (folder: URL) async throws in
            try Data("2".utf8).write(to: folder.appending(path: "second"))
            #expect(symlink("second", folder.appending(path: "new").path) == 0)
            #expect(rename(folder.appending(path: "new").path, folder.appending(path: "a.json").path) == 0)
            #expect(try await told(until: ["a.json"]) == ["a.json"])
        }
    }
}

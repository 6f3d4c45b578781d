// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing

@testable import ServiceRuntime

func createFolder(_ url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
}

/// A watcher of all `.yml` files in the folder `widgets.d`, which may be missing.
@Suite(.serialized, .timeLimit(.minutes(3))) struct FolderWatcherTests {
    private static let target = FileWatcher.Target.folder(name: "widgets.d", suffix: ".yml")
    private static let timeout: Duration = .seconds(30)

    private let reports = Inbox<FilesChanged>(maximumCount: 1000, maximumBytes: .max)
    private let failures = Inbox<FileWatcher.Failure>(maximumCount: 1000, maximumBytes: .max)
    private let gate = DispatchSemaphore(value: 0)

    /// Runs `body` with the path of `widgets.d` in a watched directory.
    ///
    /// `prepare` runs before the watch begins. If `hasGate` is true, the watcher's thread waits for `gate` after each
    /// report.
    private func withWatcher(
        hasGate: Bool = false,
        prepare: (URL) throws -> Void = { try createFolder($0) },
        _ body: (URL) async throws -> Void
    ) async throws {
        let directory = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: directory) }
        let folder = directory.appending(path: "widgets.d")
        try prepare(folder)
        let watcher = try FileWatcher(
            directory: directory.path,
            target: Self.target,
            report: { [reports, gate] report in
                reports.post(report)
                if hasGate { gate.wait() }
            },
            failed: { [failures] failure in failures.post(failure) }
        )
        defer {
            watcher.stop()
            gate.signal()
        }
        try await body(folder)
    }

    /// Stops the watcher's thread after a report of `a.yml`, runs `body`, and lets the thread continue.
    ///
    /// The watcher thus reads all events of `body` at once. It waits again after the next report.
    private func withStoppedThread(_ folder: URL, _ body: @escaping @Sendable () throws -> Void) async throws {
        try await writeNoticed(folder, "a.yml")
        try await onOwnThread(body)
        gate.signal()
    }

    private func write(_ folder: URL, _ name: String) throws {
        try Data("widgets:".utf8).write(to: folder.appending(path: name))
    }

    private func move(_ source: URL, to target: URL) {
        #expect(rename(source.path, target.path) == 0)
    }

    /// Writes a file, and expects that it is the next thing to be reported.
    private func writeNoticed(
        _ folder: URL,
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try write(folder, name)
        #expect(try await next() == ["widgets.d/\(name)"], sourceLocation: sourceLocation)
    }

    /// Waits for the next report, and returns its paths; nil if events were lost.
    private func next() async throws -> Set<String>? {
        let report = try await onOwnThread { [reports] in
            reports.nextBatch(maximum: 1, until: .now + Self.timeout).first
        }
        return try #require(report).paths
    }

    /// Waits until all `paths` were reported, and returns all reported paths.
    private func reported(until paths: Set<String>) async throws -> Set<String> {
        var all: Set<String> = []
        while !all.isSuperset(of: paths) {
            let report = try await next()
            all.formUnion(try #require(report))
        }
        return all
    }

    private func nextFailure() async throws -> FileWatcher.Failure {
        let failure = try await onOwnThread { [failures] in
            failures.nextBatch(maximum: 1, until: .now + Self.timeout).first
        }
        return try #require(failure)
    }

    /// Returns true if no failure was reported that `nextFailure` has not returned.
    private func hasNoFailure() async throws -> Bool {
        try await onOwnThread { [failures] in failures.nextBatch(maximum: 1, until: .now).isEmpty }
    }

    // MARK: Files

    @Test func aWrittenFileIsReported() async throws {
        try await withWatcher { (folder: URL) async throws in
            try await writeNoticed(folder, "a.yml")
            try await writeNoticed(folder, "a.yml")
        }
    }

    @Test func bothNamesOfARenamedFileAreReported() async throws {
        try await withWatcher { (folder: URL) async throws in
            try await writeNoticed(folder, "a.yml")
            move(folder.appending(path: "a.yml"), to: folder.appending(path: "b.yml"))
            let both: Set = ["widgets.d/a.yml", "widgets.d/b.yml"]
            #expect(try await reported(until: both) == both)
        }
    }

    @Test func aDeletedFileIsReported() async throws {
        try await withWatcher { (folder: URL) async throws in
            try await writeNoticed(folder, "a.yml")
            try FileManager.default.removeItem(at: folder.appending(path: "a.yml"))
            #expect(try await next() == ["widgets.d/a.yml"])
        }
    }

    @Test func filesWithOtherNamesAreNotReported() async throws {
        try await withWatcher { (folder: URL) async throws in
            try write(folder, "a.yml.backup")
            try FileManager.default.removeItem(at: folder.appending(path: "a.yml.backup"))
            try write(folder, ".a.yml")
            try write(folder.deletingLastPathComponent(), "tidings.yml")
            try await writeNoticed(folder, "a.yml")
        }
    }

    @Test func aReplacedLinkOnThePathOfTheFilesIsReportedAsAChangeOfTheFolder() async throws {
        // A volume of Kubernetes has this structure.
        let prepare = { (folder: URL) throws in
            for version in ["1", "2"] {
                try createFolder(folder.appending(path: "..\(version)"))
                try write(folder.appending(path: "..\(version)"), "a.yml")
            }
            #expect(symlink("..1", folder.appending(path: "..data").path) == 0)
            #expect(symlink("..data/a.yml", folder.appending(path: "a.yml").path) == 0)
            #expect(symlink("..2", folder.deletingLastPathComponent().appending(path: "new").path) == 0)
        }
        try await withWatcher(prepare: prepare) { (folder: URL) async throws in
            move(folder.deletingLastPathComponent().appending(path: "new"), to: folder.appending(path: "..data"))
            #expect(try await next() == ["widgets.d"])
        }
    }

    // MARK: The folder

    @Test func aFolderThatIsCreatedLaterIsReportedWithItsLaterFiles() async throws {
        try await withWatcher(prepare: { _ in }) { (folder: URL) async throws in
            #expect(try await hasNoFailure())
            try createFolder(folder)
            #expect(try await next() == ["widgets.d"])
            try await writeNoticed(folder, "a.yml")
            #expect(try await hasNoFailure())
        }
    }

    @Test func aDeletedAndRecreatedFolderIsReportedAndWatched() async throws {
        try await withWatcher { (folder: URL) async throws in
            for _ in 0..<2 {
                try FileManager.default.removeItem(at: folder)
                #expect(try await next() == ["widgets.d"])
                try createFolder(folder)
                #expect(try await next() == ["widgets.d"])
                try await writeNoticed(folder, "a.yml")
                try FileManager.default.removeItem(at: folder.appending(path: "a.yml"))
                #expect(try await next() == ["widgets.d/a.yml"])
            }
            #expect(try await hasNoFailure())
        }
    }

    @Test func aFolderThatIsReplacedBetweenTwoReadsIsReportedAndWatched() async throws {
        try await withWatcher(hasGate: true) { (folder: URL) async throws in
            let old = folder.deletingLastPathComponent().appending(path: "old")
            try await withStoppedThread(folder) {
                #expect(rename(folder.path, old.path) == 0)
                try createFolder(folder)
            }
            #expect(try await next() == ["widgets.d"])
            gate.signal()
            try write(old, "c.yml")
            try await writeNoticed(folder, "b.yml")
            #expect(try await hasNoFailure())
        }
    }

    @Test func aFolderThatIsReplacedDuringAnOverflowIsWatched() async throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let maximum = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        try await withWatcher(hasGate: true) { (folder: URL) async throws in
            try await withStoppedThread(folder) {
                // The kernel merges equal successive events, so two files alternate.
                let others = ["1", "2"].map { folder.deletingLastPathComponent().appending(path: $0).path }
                for number in 0...maximum { close(open(others[number % 2], O_WRONLY | O_CREAT, 0o600)) }
                try FileManager.default.removeItem(at: folder)
                try createFolder(folder)
            }
            #expect(try await next() == nil)
            gate.signal()
            try await writeNoticed(folder, "b.yml")
        }
    }

    // MARK: Failures

    @Test func aFileInPlaceOfTheFolderIsReportedAsAFailureUntilItIsReplaced() async throws {
        try await withWatcher(prepare: { try Data().write(to: $0) }) { (folder: URL) async throws in
            for _ in 0..<2 {
                let failure = try await nextFailure()
                #expect(failure.code == ENOTDIR)
                #expect(failure.call == "inotify_add_watch '\(folder.path)'")
                try FileManager.default.removeItem(at: folder)
                try createFolder(folder)
                #expect(try await next() == ["widgets.d"])
                try await writeNoticed(folder, "a.yml")
                #expect(try await hasNoFailure())
                // The watcher now works, so the next failure is reported too.
                move(folder, to: folder.deletingLastPathComponent().appending(path: UUID().uuidString))
                #expect(try await next() == ["widgets.d"])
                try Data().write(to: folder)
            }
        }
    }

    @Test func aLinkWithoutTargetIsAFailureAndIsFollowedWhenTheTargetExists() async throws {
        let prepare = { (folder: URL) throws in
            try createFolder(folder.deletingLastPathComponent().appending(path: "other"))
            try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "other/missing")
        }
        try await withWatcher(prepare: prepare) { (folder: URL) async throws in
            #expect(try await nextFailure().code == ENOENT)
            // The creation of the target causes no event; only the retry detects it.
            try createFolder(folder.deletingLastPathComponent().appending(path: "other/missing"))
            #expect(try await next() == ["widgets.d"])
            try await writeNoticed(folder, "a.yml")
        }
    }

    @Test func aLimitOfInotifyIsNamedInTheDescription() {
        let failure = FileWatcher.Failure(call: "inotify_add_watch '/etc/tidings/widgets.d'", code: ENOSPC)
        #expect(failure.description.hasSuffix("(increase fs.inotify.max_user_watches)"))
    }
}

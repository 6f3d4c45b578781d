// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct WatchedFileTests {
    private let changes = Inbox<Bool>(maximumCount: 1000, maximumBytes: .max)

    private func context(_ log: InMemoryLog) throws -> ServiceContext {
        try .test("watch-test", log: Logger(label: "test", minimumLevel: .debug, handler: log))
    }

    /// Writes the file again until a change is reported: the watcher may not have begun.
    private func writeUntilSeen(_ file: URL) async throws -> Bool {
        for number in 0..<100 {
            try Data("\(number)".utf8).write(to: file, options: .atomic)
            let seen = try await onOwnThread { [changes] in
                changes.nextBatch(maximum: 10, until: .now + .milliseconds(100))
            }
            if !seen.isEmpty { return true }
        }
        return false
    }

    @Test func aReplacedFileIsReported() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "tidings.yml")
            try context(InMemoryLog()).watchFile(file.path) { [changes] in changes.post(true) }
            #expect(try await writeUntilSeen(file))
        }
    }

    // Else each change would be reported twice.
    @Test func aPathThatIsNoLinkIsWatchedOnce() throws {
        #expect(ServiceContext.watchedPaths(of: "Package.swift") == ["Package.swift"])
        #expect(ServiceContext.watchedPaths(of: "./Package.swift") == ["./Package.swift"])
        let linked = ServiceContext.watchedPaths(of: "/proc/self/cwd/Package.swift")
        #expect(linked.count == 2 && linked.first == "/proc/self/cwd/Package.swift")
    }

    @Test func theFileBehindALinkIsWatchedToo() async throws {
        try await withTemporaryFolder { folder in
            let target = folder.appending(path: "target/real.yml")
            try createFolder(target.deletingLastPathComponent())
            try Data("a".utf8).write(to: target)
            let link = folder.appending(path: "tidings.yml")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            try context(InMemoryLog()).watchFile(link.path) { [changes] in changes.post(true) }
            #expect(try await writeUntilSeen(target))
        }
    }

    @Test func aFolderThatIsNotThereIsLoggedAndCountedAndWatchedLater() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLog()
            let context = try context(log)
            let file = folder.appending(path: "later/tidings.yml")
            let failures = context.metrics.counter(ServiceContext.watchFailureCounter)
            context.watchFile(file.path) { [changes] in changes.post(true) }
            #expect(failures.value == 1)
            #expect(log.entries.map(\.message) == ["A file cannot be watched; its changes are not detected."])
            try createFolder(file.deletingLastPathComponent())
            #expect(try await writeUntilSeen(file))
            #expect(failures.value == 1)
        }
    }

    // MARK: The folder of widgets

    /// Watches the widgets beside `tidings.yml` in `folder`, and returns the path of `widgets.d`.
    private func watchWidgets(in folder: URL, _ context: ServiceContext) -> URL {
        context.watchWidgets(beside: folder.appending(path: "tidings.yml").path) { [changes] in changes.post(true) }
        return folder.appending(path: "widgets.d")
    }

    /// Waits for a report of a change; returns false if there is none.
    private func isChangeReported() async throws -> Bool {
        try await onOwnThread { [changes] in !changes.nextBatch(maximum: 1, until: .now + .seconds(30)).isEmpty }
    }

    @Test func aMissingFolderOfWidgetsIsNoFailureAndItsFilesAreWatchedLater() async throws {
        try await withTemporaryFolder { folder in
            let log = InMemoryLog()
            let widgets = watchWidgets(in: folder, try context(log))
            try createFolder(widgets)
            #expect(try await isChangeReported())
            let file = widgets.appending(path: "a.yml")
            try Data("widgets:".utf8).write(to: file)
            #expect(try await isChangeReported())
            try FileManager.default.removeItem(at: file)
            #expect(try await isChangeReported())
            #expect(log.entries.isEmpty)
        }
    }

    @Test func aFolderOfWidgetsThatCannotBeWatchedIsLoggedAndCountedOnceAndWatchedLater() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: folder.appending(path: "widgets.d"))
            let log = InMemoryLog()
            let context = try context(log)
            let failures = context.metrics.counter(ServiceContext.watchFailureCounter)
            let widgets = watchWidgets(in: folder, context)
            #expect(failures.value == 1)
            // This event causes another attempt, which fails too.
            try Data().write(to: widgets)
            try FileManager.default.removeItem(at: widgets)
            try createFolder(widgets)
            #expect(try await isChangeReported())
            #expect(failures.value == 1)
            let warning =
                "The folder of widgets cannot be watched. Remove the cause, or send SIGHUP after each change in it."
            #expect(log.entries.map(\.message) == [warning])
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import SourceFetching

/// Files that are sources, and those that must not be.
@Suite struct FileSourceTests {
    /// A directory `files` with a file `a.json`, beside a file `secret`.
    private func withDirectory(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)")
        let files = folder.appending(path: "files")
        try FileManager.default.createDirectory(at: files.appending(path: "sub"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("secret".utf8).write(to: folder.appending(path: "secret"))
        try Data("{}".utf8).write(to: files.appending(path: "a.json"))
        try body(files)
    }

    private func failure(_ path: String, _ directory: String) -> FileSourceFailure? {
        do throws(FileSourceFailure) {
            _ = try FileSource.read(path, below: directory)
            return nil
        } catch {
            return error
        }
    }

    private func document(_ path: String, _ directory: String) throws -> Data {
        try FileSource.read(path, below: directory)
    }

    @Test func aFileBelowTheDirectoryIsRead() throws {
        try withDirectory { (files: URL) throws in
            #expect(try document("a.json", files.path) == Data("{}".utf8))
            #expect(try document("a.json", files.path + "/") == Data("{}".utf8))
        }
    }

    @Test func aLinkWithinTheDirectoryIsFollowed() throws {
        try withDirectory { (files: URL) throws in
            #expect(symlink("../a.json", files.appending(path: "sub/link.json").path) == 0)
            #expect(try document("sub/link.json", files.path) == Data("{}".utf8))
            // The directory itself may be a link.
            let link = files.deletingLastPathComponent().appending(path: "other")
            #expect(symlink("files", link.path) == 0)
            #expect(try document("a.json", link.path) == Data("{}".utf8))
        }
    }

    @Test func whateverLeavesTheDirectoryIsRefused() throws {
        try withDirectory { (files: URL) throws in
            #expect(symlink("../secret", files.appending(path: "link").path) == 0)
            #expect(symlink("..", files.appending(path: "up").path) == 0)
            #expect(symlink("/etc", files.appending(path: "etc").path) == 0)
            #expect(symlink("\(files.path)-beside", files.appending(path: "beside").path) == 0)
            try Data("secret".utf8).write(to: URL(filePath: "\(files.path)-beside"))
            for path in ["link", "up/secret", "../secret", "etc/passwd", "beside", "sub/../../secret"] {
                let failure = failure(path, files.path)
                #expect(failure?.class == .permanent, "\(path)")
                #expect(failure?.message.contains("is outside the directory") == true, "\(path)")
            }
        }
    }

    @Test func whatIsNoRegularFileIsRefusedWithoutOpeningIt() throws {
        try withDirectory { (files: URL) throws in
            // Nobody writes to the pipe: to open it would wait for ever.
            #expect(mkfifo(files.appending(path: "pipe").path, 0o600) == 0)
            #expect(failure("pipe", files.path)?.class == .permanent)
            #expect(failure("sub", files.path)?.class == .permanent)
            #expect(symlink("loop", files.appending(path: "loop").path) == 0)
            #expect(failure("loop", files.path)?.class == .permanent)
        }
    }

    @Test func whatIsNotThereYetMayCome() throws {
        try withDirectory { (files: URL) throws in
            for missing in [failure("none", files.path), failure("none/a.json", files.path)] {
                #expect(missing?.class == .transient)
                #expect(missing?.isMissing == true)
            }
            #expect(failure("a.json", files.path + "-none")?.isMissing == true)
            try Data("{}".utf8).write(to: files.appending(path: "file"))
            #expect(failure("file/a.json", files.path)?.isMissing == true)
            #expect(symlink("nowhere", files.appending(path: "link").path) == 0)
            #expect(failure("link", files.path)?.isMissing == true)
            #expect(failure("sub", files.path)?.isMissing == false)
        }
    }

    @Test func aCompressedFileIsInflated() throws {
        try withDirectory { (files: URL) throws in
            // "{}" by zlib 1.2.13.
            let bytes = try #require(Data(base64Encoded: "H4sIAAAAAAACA6uuBQBDv6ajAgAAAA=="))
            try bytes.write(to: files.appending(path: "a.json.gz"))
            #expect(try document("a.json.gz", files.path) == Data("{}".utf8))
            try bytes.dropLast(3).write(to: files.appending(path: "short.gz"))
            #expect(failure("short.gz", files.path)?.class == .malformed)
        }
    }

    @Test func aFileIsAsLargeAsABodyAtMost() throws {
        try withDirectory { (files: URL) throws in
            let url = files.appending(path: "large")
            #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
            #expect(truncate(url.path, off_t(FileSource.maximumBytes)) == 0)
            #expect(try document("large", files.path).count == FileSource.maximumBytes)
            #expect(truncate(url.path, off_t(FileSource.maximumBytes + 1)) == 0)
            #expect(failure("large", files.path)?.class == .permanent)
        }
    }

    @Test func aFileIsReadBelowTheDirectoryOfTheFetcherOnly() throws {
        try withDirectory { (files: URL) throws in
            try Data("<rss version=\"2.0\"><channel><title>T</title></channel></rss>".utf8)
                .write(to: files.appending(path: "feed.xml"))
            var lease = Lease.sample("file:feed.xml")
            func outcome(below directory: String? = files.path) -> Fetched {
                OutcomeReader(lease: lease, answeredAt: Instant(milliseconds: 0)).outcomeOfFile(below: directory).data
            }
            let first = outcome()
            #expect(first.result == .content)
            lease.bodyDigest = first.bodyDigest
            #expect(outcome().result == .sameBytes)
            // Half of it was written.
            try Data("<rss".utf8.prefix(2)).write(to: files.appending(path: "feed.xml"))
            #expect(outcome().failure?.class == .malformed)
            #expect(outcome().failure?.message.contains("file:feed.xml") == true)
            #expect(outcome(below: nil).failure?.class == .permanent)
            #expect(outcome(below: nil).failure?.message.contains("--files") == true)
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import CommandLineTool

/// Tests of the temporary folders of backups and restores.
@Suite struct ScratchFolderTests {
    @Test func theFolderOfAnInterruptedBackupIsRemovedByTheNextOneAndThatOfARunningOneIsNot() async throws {
        try await withTemporaryFolder { folder in
            for name in [".tidings-\(UUID().uuidString)", ".tidings-notes"] {
                let path = folder.appending(path: name)
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
                try Data("copy".utf8).write(to: path.appending(path: "cache.sqlite"))
            }
            try ScratchFolder.with(in: folder.path) { running in
                try Data("copy".utf8).write(to: URL(filePath: "\(running)/cache.sqlite"))
                try ScratchFolder.with(in: folder.path) { _ in }
                #expect(FileManager.default.fileExists(atPath: "\(running)/cache.sqlite"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [".tidings-notes"])
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation

/// Creates an empty folder of a test's own.
public func makeTemporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// Runs `body` with a temporary folder, and removes the folder afterwards.
public func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = try makeTemporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// A temporary folder that is removed with the suite that holds it.
public final class TemporaryFolder: Sendable {
    public let url: URL
    public var path: String { url.path }
    /// The path of a database in the folder.
    public var database: String { path + "/store.sqlite" }

    public init() throws { url = try makeTemporaryFolder() }

    deinit { try? FileManager.default.removeItem(at: url) }
}

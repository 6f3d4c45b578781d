// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import TestSupport

/// An origin that misbehaves in as many ways as it has addresses: `Scripts/hostile-origin.py`.
struct HostileOrigin: Decodable {
    /// The file with the certificate authority that signed what can be trusted.
    let authority: String
    /// The URL of each way, by its name.
    let ways: [String: String]

    /// Runs `body` beside the origin.
    ///
    /// Each URL gives a good feed to the first request, and only to that.
    static func with<Value>(_ body: (HostileOrigin) async throws -> Value) async throws -> Value {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts/hostile-origin.py")
                .path,
            folder.path,
        ]
        // It ends with the end of its input, and so with this process.
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        defer { kill(process.processIdentifier, SIGKILL) }
        let handle = output.fileHandleForReading
        let line = try await ServiceThread.run(named: "hostile-origin") {
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let data = handle.availableData
                if data.isEmpty { throw DidNotArrive("the first line of hostile-origin.py") }
                line += data
            }
            return line
        }
        let origin = try JSONDecoder().decode(HostileOrigin.self, from: line)
        defer { try? input.fileHandleForWriting.close() }
        return try await body(origin)
    }
}

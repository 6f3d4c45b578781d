// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// Scripts that use the page's modules, in Node.
enum PageScript {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Services/Gateway/Page/Files").standardizedFileURL

    /// Runs the script that `body` returns; it gets the URL of the folder with the page's modules.
    static func run(_ body: (String) -> String) async throws {
        try await withTemporaryFolder { folder in
            // Node 18 takes a file for a module only if a package says so.
            try Data(#"{"type": "module"}"#.utf8).write(to: folder.appending(path: "package.json"))
            let modules = folder.appending(path: "page", directoryHint: .isDirectory)
            try FileManager.default.copyItem(at: files, to: modules)
            let script = body(modules.absoluteString)
            let ended = try await EndedProgram.run(["node", "--input-type=module", "-"], input: Data(script.utf8))
            #expect(ended.status == 0, "\(ended.errors)")
        }
    }
}

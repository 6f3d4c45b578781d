// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The files of the web pages, which are read once when the gateway starts.
struct PageFiles: Sendable {
    /// The path of the folder with the files, relative to the executable's folder.
    static let folder = "tidings_Gateway.resources/Files"

    private let files: [String: PageFile]

    var isEmpty: Bool { files.isEmpty }

    subscript(name: String) -> PageFile? { files[name] }

    var names: [String] { files.keys.sorted() }

    init(_ files: [PageFile] = []) {
        self.files = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads all files below a folder.
    ///
    /// Throws if the folder or a file cannot be read.
    init(folder: URL) throws {
        let root = folder.standardizedFileURL.path(percentEncoded: false)
        var files: [PageFile] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let url = folder.appending(path: name)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            if let file = PageFile(name: name, data: try Data(contentsOf: url)) { files.append(file) }
        }
        self.init(files)
    }

    /// Returns the URL of ``folder``, whose path is relative to the folder of this process's executable.
    static func besideExecutable() -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: folder)
    }
}

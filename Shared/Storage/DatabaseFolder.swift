// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// The creation of the folder that contains a database file.
enum DatabaseFolder {
    /// The mode of created folders: only their owner may read them, because a store can contain request headers with
    /// secrets.
    private static let mode: mode_t = 0o700

    /// Creates the folder of a database file, with missing parents.
    static func create(for path: String) throws(StorageError) {
        guard let slash = path.lastIndex(of: "/") else { return }
        try create(String(path[..<slash]), database: path)
    }

    private static func create(_ folder: String, database: String) throws(StorageError) {
        guard !folder.isEmpty else { return }
        defer { syncParent(of: folder) }
        if mkdir(folder, mode) == 0 { return }
        switch errno {
        case EEXIST:
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw error(ENOTDIR, folder, database)
            }
        case ENOENT:
            guard let slash = folder.lastIndex(of: "/") else { throw error(ENOENT, folder, database) }
            try create(String(folder[..<slash]), database: database)
            // Another process may have created the folder in the meantime.
            guard mkdir(folder, mode) == 0 || errno == EEXIST else { throw error(errno, folder, database) }
        case let number:
            throw error(number, folder, database)
        }
    }

    /// Makes the name of a folder durable; otherwise, a power cut may remove the folder with its contents.
    private static func syncParent(of folder: String) {
        let slash = folder.lastIndex(of: "/")
        let parent = slash.map { $0 == folder.startIndex ? "/" : String(folder[..<$0]) } ?? "."
        let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A process that may not open the parent has not created a folder in it.
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func error(_ number: Int32, _ folder: String, _ database: String) -> StorageError {
        StorageError(
            kind: number == EROFS ? .readOnly : (number == ENOSPC ? .full : .cannotOpen),
            systemErrorNumber: number,
            message: "the folder \(folder) cannot be created: \(String(cString: strerror(number)))",
            path: database
        )
    }
}

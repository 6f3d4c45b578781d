// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

extension FileWatcher {
    /// An event of an entry in a watched directory (inotify(7)).
    struct Event {
        /// The path of the watched directory, relative to the watcher's directory; empty for the watcher's directory.
        var folder: String
        /// The name of the entry in the watched directory.
        var name: String
        /// The kind of the event, for example `IN_CREATE`.
        var mask: UInt32

        /// The path of the entry, relative to the watcher's directory.
        var path: String { folder.isEmpty ? name : "\(folder)/\(name)" }
        var isDirectory: Bool { mask & UInt32(IN_ISDIR) != 0 }
        var isCreation: Bool { mask & UInt32(IN_CREATE) != 0 }
        var isRemoval: Bool { mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0 }
    }

    /// The present kind of an entry in a directory; symbolic links are not followed.
    enum Entry: Equatable {
        case missing
        /// A regular file; `isLinked` is true if it has several hard links.
        case file(isLinked: Bool)
        case symbolicLink
        case other

        init(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                self = .missing
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: self = .file(isLinked: status.st_nlink > 1)
            case S_IFLNK: self = .symbolicLink
            default: self = .other
            }
        }
    }

    /// The results of a batch of events.
    struct Findings {
        /// The paths of the changed files, as in `FilesChanged`; nil if events were lost.
        var paths: Set<String>? = []
        /// A Boolean value that indicates whether the directories must be watched again, because a directory or a
        /// symbolic link was created, removed or replaced.
        var mustLookAgain = false
        /// The error of `read`; nil if all pending events were read.
        var failure: Failure?
    }
}

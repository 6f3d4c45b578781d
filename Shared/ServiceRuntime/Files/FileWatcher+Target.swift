// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

extension FileWatcher {
    /// The files that a watcher watches in its directory.
    package enum Target: Sendable, Hashable {
        /// The files with these paths, which are relative to the watcher's directory.
        ///
        /// A removed file is reported, too. Folders below the watcher's directory may be missing.
        case files(Set<String>)
        /// The files in the folder `name` whose names end with `suffix` and do not begin with a dot.
        ///
        /// `name` is the name of a folder in the watcher's directory. The folder may be missing. Removed files are
        /// reported, too. A report contains `name` itself if any file of the folder may have changed, because the
        /// folder was created, removed or replaced, or because a symbolic link in it was replaced.
        case folder(name: String, suffix: String)
    }
}

extension FileWatcher.Target {
    /// The paths of the directories to watch, relative to the watcher's directory; parents come first.
    var directories: [String] {
        switch self {
        case .files(let files):
            var wanted: Set<String> = [""]
            for file in files {
                var folder = Self.parent(file)
                while !folder.isEmpty {
                    wanted.insert(folder)
                    folder = Self.parent(folder)
                }
            }
            return wanted.sorted()
        case .folder(let name, _): return ["", name]
        }
    }

    /// The events to watch in each directory.
    var mask: UInt32 {
        let written = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        return UInt32(written | IN_DELETE | IN_MOVED_FROM)
    }

    /// Returns true if a directory could not be watched because it is missing, and if it may be missing.
    ///
    /// `directory` is relative to the watcher's directory, `path` is complete, and `code` is the error number. A
    /// symbolic link without a target does not count as missing: the creation of the target causes no event, so only
    /// another attempt detects it.
    func allowsMissing(_ directory: String, at path: String, code: Int32) -> Bool {
        // The events of its parent report a folder that appears; no event reports the watcher's directory itself.
        guard directories.contains(directory), !directory.isEmpty, code == ENOENT else { return false }
        return FileWatcher.Entry(path: path) != .symbolicLink
    }

    /// Returns true if an event with this mask means that the directories must be watched again.
    func mustLookAgain(after mask: UInt32) -> Bool {
        // The creation or the replacement of a directory may be among the events that an overflow has lost.
        mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_Q_OVERFLOW) != 0
    }

    /// Adds the results of an event to `findings`; `root` is the path of the watcher's directory.
    func note(_ event: FileWatcher.Event, below root: String, in findings: inout FileWatcher.Findings) {
        switch self {
        case .files(let files): Self.note(event, files: files, below: root, in: &findings)
        case .folder(event.folder, let suffix): Self.note(event, suffix: suffix, below: root, in: &findings)
        case .folder(let name, _):
            // The folder, or a directory or a symbolic link on its path, may have been created, removed or replaced.
            let isOnPath = event.name == name || event.isDirectory || Self.entry(event, below: root) == .symbolicLink
            findings.mustLookAgain = findings.mustLookAgain || isOnPath
        }
    }

    private static func note(
        _ event: FileWatcher.Event,
        files: Set<String>,
        below root: String,
        in findings: inout FileWatcher.Findings
    ) {
        if event.isDirectory {
            findings.mustLookAgain = true
            return
        }
        let present = entry(event, below: root)
        // A removed file that exists again is reported when its writer closes it.
        guard !event.isRemoval || present == .missing else { return }
        switch present {
        case .missing:
            // If the entry was not removed by this event, the event of its removal follows.
            guard event.isRemoval else { return }
            findings.paths?.formUnion(files.filter { $0 == event.path || $0.hasPrefix(event.path + "/") })
        case .file(let isLinked):
            // A created file has no content yet, unless it is a hard link to an existing file.
            guard !event.isCreation || isLinked, files.contains(event.path) else { return }
            findings.paths?.insert(event.path)
        case .symbolicLink, .other:
            // A symbolic link to a file, or to a directory that contains files, was replaced.
            findings.paths?.formUnion(
                files.filter { parent($0) == event.folder || $0.hasPrefix(event.path + "/") }
            )
            findings.mustLookAgain = true
        }
    }

    /// Adds the results of an event in the folder of a `.folder` target.
    private static func note(
        _ event: FileWatcher.Event,
        suffix: String,
        below root: String,
        in findings: inout FileWatcher.Findings
    ) {
        let present = entry(event, below: root)
        if event.name.hasSuffix(suffix), !event.name.hasPrefix(".") {
            // A created file has no content yet, unless it is a hard link to an existing file.
            let isEmpty = event.isCreation && present == .file(isLinked: false)
            // If the entry is missing, the event of its removal follows.
            guard event.isRemoval || (present != .missing && !isEmpty) else { return }
            findings.paths?.insert(event.path)
        } else if present == .symbolicLink {
            // The files may be symbolic links through this one, as in a volume of Kubernetes.
            findings.paths?.insert(event.folder)
        }
    }

    /// Returns the paths to report after the directories were watched again.
    ///
    /// `old` and `new` are the watched directories before and after that: the key is the watch descriptor, and the
    /// value is the path relative to the watcher's directory.
    func changes(from old: [Int32: String], to new: [Int32: String]) -> Set<String> {
        // A new directory has a new watch descriptor, even if its predecessor had the same path.
        let added = Set(new.filter { old[$0.key] == nil }.values)
        switch self {
        case .files(let files):
            // A file in a newly watched directory may have been written before the watch began, so it counts as
            // changed. A file in a removed directory is removed, too.
            let changed = added.union(Set(old.values).subtracting(new.values))
            return files.filter { changed.contains(Self.parent($0)) }
        case .folder(let name, _):
            let isRemoved = old.values.contains(name) && !new.values.contains(name)
            return added.contains(name) || isRemoved ? [name] : []
        }
    }

    private static func entry(_ event: FileWatcher.Event, below root: String) -> FileWatcher.Entry {
        FileWatcher.Entry(path: "\(root)/\(event.path)")
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

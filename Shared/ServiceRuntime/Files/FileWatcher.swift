// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import WidgetSchema

/// A report of a `FileWatcher` about changed files.
package struct FilesChanged: Sendable, Hashable {
    /// The paths of the changed files, relative to the watcher's directory.
    ///
    /// Nil if events were lost; any file may then have changed.
    package var paths: Set<String>?

    package init(paths: Set<String>?) { self.paths = paths }
}

/// A watcher that reports which files of a set were written or replaced (`inotify`).
///
/// The files are below one directory. A file is reported when a writer closes it, or when a file is moved to its path.
/// A removed file is reported when it exists again. Directories may be created, removed and replaced. The watcher has
/// its own thread.
package final class FileWatcher: Sendable {
    /// The error of a system call that failed while a watch was set up: the call and its error number (`errno`).
    package struct Failure: Error, CustomStringConvertible {
        package var call: String
        package var code: Int32

        package var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// The interval between attempts to watch a directory that could not be watched, for example because it is missing.
    ///
    /// Directories that are already watched need no polling, because the kernel reports their changes.
    private static let retryInterval: Duration = .seconds(5)
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )

    private let directory: String
    private let files: Set<String>
    private let descriptor: Int32
    private let stopPipe: (read: Int32, write: Int32)

    /// Watches `files`, which are paths relative to `directory`; throws if `inotify` cannot be set up.
    ///
    /// `report` is called on the watcher's thread. `failed` is called if a directory cannot be watched. Further failures
    /// are not reported until all directories are watched. During `init`, `failed` is called on the calling thread;
    /// later, it is called on the watcher's thread.
    package init(
        directory: String,
        files: Set<String>,
        report: @escaping @Sendable (FilesChanged) -> Void,
        failed: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        self.directory = directory
        self.files = files
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { throw Failure(call: "inotify_init1", code: errno) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(call: "pipe", code: code)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.descriptor = descriptor
        stopPipe = (ends[0], ends[1])
        var watched: [Int32: String] = [:]
        let failure = addWatches(&watched)
        if let failure { failed(failure) }
        ServiceThread.start(named: "file-watcher") { [self, watched] in
            watch(watched, isComplete: failure == nil, failed, report)
        }
    }

    /// Ends the watcher's thread.
    ///
    /// Must be called at most once.
    package func stop() {
        close(stopPipe.write)
    }

    // MARK: The thread

    private func watch(
        _ watched: [Int32: String],
        isComplete: Bool,
        _ failed: (Failure) -> Void,
        _ report: (FilesChanged) -> Void
    ) {
        var (watched, isComplete) = (watched, isComplete)
        while true {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&descriptors, 2, isComplete ? -1 : Int32(clamping: Self.retryInterval.wholeMilliseconds))
            if ready < 0, errno == EINTR { continue }
            if ready < 0 || descriptors[1].revents != 0 { break }
            let known = Set(watched.values)
            let (paths, mustLookAgain) = readEvents(&watched)
            var changed = paths
            if mustLookAgain || !isComplete {
                let failure = addWatches(&watched)
                if isComplete, let failure { failed(failure) }
                isComplete = failure == nil
                // A file in a newly watched directory may have been written before the watch began, so it counts as
                // changed.
                let new = Set(watched.values).subtracting(known)
                changed?.formUnion(files.filter { new.contains(Self.parent($0)) })
            }
            if changed?.isEmpty != true { report(FilesChanged(paths: changed)) }
        }
        close(descriptor)
        close(stopPipe.read)
    }

    /// Watches `directory` and all subdirectories on the paths of `files`.
    ///
    /// Returns the first failure; nil if all directories are watched. Replaces the content of `watched`: for each
    /// watched directory, the key is its `inotify` watch descriptor, and the value is its path relative to `directory`.
    private func addWatches(_ watched: inout [Int32: String]) -> Failure? {
        var wanted: Set<String> = [""]
        for file in files {
            var folder = Self.parent(file)
            while !folder.isEmpty {
                wanted.insert(folder)
                folder = Self.parent(folder)
            }
        }
        var failure: Failure?
        watched = [:]
        for folder in wanted.sorted() {
            let path = folder.isEmpty ? directory : "\(directory)/\(folder)"
            let watch = inotify_add_watch(descriptor, path, Self.mask)
            if watch >= 0 {
                watched[watch] = folder
            } else if failure == nil {
                failure = Failure(call: "inotify_add_watch '\(path)'", code: errno)
            }
        }
        return failure
    }

    /// Reads all pending events of `inotify` and returns the changed files.
    ///
    /// `watched` contains the watched directories, as set by `addWatches`; this function does not change it. `paths`
    /// contains the paths of the changed files. It is nil if events were lost; any file may then have changed.
    /// `mustLookAgain` is true if `addWatches` must be called again, because a directory or a symbolic link was
    /// created, removed or replaced.
    private func readEvents(_ watched: inout [Int32: String]) -> (paths: Set<String>?, mustLookAgain: Bool) {
        var paths: Set<String>? = []
        var mustLookAgain = false
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (paths, mustLookAgain) }
            buffer.withUnsafeBytes { bytes in
                var place = 0
                let headSize = MemoryLayout<inotify_event>.size
                while place + headSize <= count {
                    let head = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    let name = bytes[(place + headSize)..<(place + headSize + Int(head.len))].prefix { $0 != 0 }
                    place += headSize + Int(head.len)
                    if head.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                        paths = nil
                        continue
                    }
                    if head.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
                        mustLookAgain = true
                        continue
                    }
                    guard let folder = watched[head.wd] else { continue }
                    let found = note(String(decoding: name, as: UTF8.self), in: folder, mask: head.mask)
                    paths?.formUnion(found.paths)
                    mustLookAgain = mustLookAgain || found.isDirectory
                }
            }
        }
    }

    private func note(_ name: String, in folder: String, mask: UInt32) -> (paths: Set<String>, isDirectory: Bool) {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        if mask & UInt32(IN_ISDIR) != 0 { return ([], true) }
        var status = stat()
        guard lstat("\(directory)/\(path)", &status) == 0 else { return ([], false) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            // A symbolic link to a file, or to a directory that contains files, was replaced.
            return (files.filter { Self.parent($0) == folder || $0.hasPrefix(path + "/") }, true)
        }
        // A created file has no content yet, unless it is a hard link to an existing file.
        let isWritten = mask & UInt32(IN_CREATE) == 0 || status.st_nlink > 1
        return (isWritten && files.contains(path) ? [path] : [], false)
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

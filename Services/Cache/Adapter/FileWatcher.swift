// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import ServiceRuntime

/// What a watcher saw: paths below its directory; nil where it may have missed some.
struct FilesChanged: Sendable, Hashable {
    var paths: Set<String>?
}

/// Tells which of some files below a directory were replaced or written (`inotify`), on a thread of its own.
///
/// A file counts when whoever wrote it has closed it or moved it there; what is removed counts when it is there again.
/// Directories may come, go and be replaced.
final class FileWatcher: Sendable {
    /// Why a directory cannot be watched.
    struct Failure: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// How often a directory that is not there is looked for; all else is told by the kernel.
    private static let retryMilliseconds: Int32 = 5000
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )

    private let directory: String
    private let files: Set<String>
    private let descriptor: Int32
    private let stopPipe: (read: Int32, write: Int32)

    /// `report` is called on the watcher's thread.
    init(
        directory: String,
        files: Set<String>,
        report: @escaping @Sendable (FilesChanged) -> Void
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
        ServiceThread.start(named: "file-watcher") { [self] in watch(report) }
    }

    /// Ends the thread; once.
    func stop() {
        close(stopPipe.write)
    }

    // MARK: The thread

    private func watch(_ report: (FilesChanged) -> Void) {
        var watched: [Int32: String] = [:]
        var isComplete = addWatches(&watched)
        while true {
            var descriptors = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&descriptors, 2, isComplete ? -1 : Self.retryMilliseconds)
            if ready < 0, errno == EINTR { continue }
            if ready < 0 || descriptors[1].revents != 0 { break }
            let known = Set(watched.values)
            let (paths, mustLookAgain) = readEvents(&watched)
            var changed = paths
            if mustLookAgain || !isComplete {
                isComplete = addWatches(&watched)
                // What came with its directory was there before anybody looked.
                let new = Set(watched.values).subtracting(known)
                changed?.formUnion(files.filter { new.contains(Self.parent($0)) })
            }
            if changed?.isEmpty != true { report(FilesChanged(paths: changed)) }
        }
        close(descriptor)
        close(stopPipe.read)
    }

    /// Watches the directory and those in it that lead to files; says whether all of them are there.
    private func addWatches(_ watched: inout [Int32: String]) -> Bool {
        var wanted: Set<String> = [""]
        for file in files {
            var folder = Self.parent(file)
            while !folder.isEmpty {
                wanted.insert(folder)
                folder = Self.parent(folder)
            }
        }
        var isComplete = true
        watched = [:]
        for folder in wanted {
            let watch = inotify_add_watch(descriptor, folder.isEmpty ? directory : "\(directory)/\(folder)", Self.mask)
            if watch >= 0 { watched[watch] = folder } else { isComplete = false }
        }
        return isComplete
    }

    /// The files that events are about, nil for any; and whether directories have come or gone.
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
            // A link was replaced, to a file or to a directory that files are found through.
            return (files.filter { Self.parent($0) == folder || $0.hasPrefix(path + "/") }, true)
        }
        // Created is not yet written, unless it is another name of something written before.
        let isWritten = mask & UInt32(IN_CREATE) == 0 || status.st_nlink > 1
        return (isWritten && files.contains(path) ? [path] : [], false)
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

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

/// A watcher that reports which files were written, replaced or removed (`inotify`).
///
/// The files are below one directory; `Target` selects them. A file is reported when a writer closes it, when a file is
/// moved to its path, or when it is removed. Directories may be created, removed and replaced. The watcher has its own thread.
package final class FileWatcher: Sendable {
    /// The error of a system call of the watcher: the call and its error number (`errno`).
    package struct Failure: Error, CustomStringConvertible {
        package var call: String
        package var code: Int32

        package var description: String {
            let reason = "\(call): \(String(cString: strerror(code)))"
            // The system's texts for the limits of inotify are misleading: "No space left on device" and "Too many open
            // files".
            guard call.hasPrefix("inotify") else { return reason }
            switch code {
            case ENOSPC: return reason + " (increase fs.inotify.max_user_watches)"
            case EMFILE: return reason + " (increase fs.inotify.max_user_instances or the limit of open files)"
            default: return reason
            }
        }
    }

    /// The interval between attempts to watch a directory that could not be watched, for example because it is missing.
    ///
    /// Directories that are already watched need no polling, because the kernel reports their changes.
    private static let retryInterval: Duration = .milliseconds(500)

    private let directory: String
    private let target: Target
    private let descriptor: Int32
    private let stopPipe: (read: Int32, write: Int32)

    /// Watches the files of `target` in `directory`; throws if `inotify` cannot be set up.
    ///
    /// `report` is called on the watcher's thread. `failed` is called if a directory cannot be watched, or if events
    /// cannot be read. Further failures are not reported until all directories are watched. During `init`, `failed` is
    /// called on the calling thread; later, it is called on the watcher's thread.
    package init(
        directory: String,
        target: Target,
        report: @escaping @Sendable (FilesChanged) -> Void,
        failed: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        self.directory = directory
        self.target = target
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
        // False if `read` failed. The descriptor is then not polled until the next attempt, because `poll` would return
        // at once.
        var canRead = true
        while true {
            var descriptors = [
                pollfd(fd: canRead ? descriptor : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&descriptors, 2, isComplete ? -1 : Int32(clamping: Self.retryInterval.wholeMilliseconds))
            if ready < 0 {
                let code = errno
                if code == EINTR { continue }
                failed(Failure(call: "poll", code: code))
                break
            }
            if descriptors[1].revents != 0 { break }
            var findings = readEvents(watched)
            canRead = findings.failure == nil
            if findings.mustLookAgain || !canRead || !isComplete {
                let old = watched
                let watchFailure = addWatches(&watched)
                let failure = findings.failure ?? watchFailure
                if isComplete, let failure { failed(failure) }
                isComplete = failure == nil
                findings.paths?.formUnion(target.changes(from: old, to: watched))
            }
            if findings.paths?.isEmpty != true { report(FilesChanged(paths: findings.paths)) }
        }
        close(descriptor)
        close(stopPipe.read)
    }

    /// Watches the directories of `target`.
    ///
    /// Returns the first failure; nil if all directories are watched. A missing folder that may be missing is not a
    /// failure. Replaces the content of `watched`: for each watched directory, the key is its `inotify` watch
    /// descriptor, and the value is its path relative to `directory`.
    private func addWatches(_ watched: inout [Int32: String]) -> Failure? {
        var failure: Failure?
        watched = [:]
        for folder in target.directories {
            let path = folder.isEmpty ? directory : "\(directory)/\(folder)"
            let watch = inotify_add_watch(descriptor, path, target.mask)
            if watch >= 0 {
                watched[watch] = folder
                continue
            }
            let code = errno
            if failure == nil, !target.allowsMissing(folder, at: path, code: code) {
                failure = Failure(call: "inotify_add_watch '\(path)'", code: code)
            }
        }
        return failure
    }

    /// Reads all pending events of `inotify`.
    ///
    /// `watched` contains the watched directories, as set by `addWatches`.
    private func readEvents(_ watched: [Int32: String]) -> Findings {
        var findings = Findings()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                if code != EAGAIN { findings.failure = Failure(call: "read", code: code) }
                return findings
            }
            guard count > 0 else { return findings }
            buffer.withUnsafeBytes { bytes in
                var place = 0
                let headSize = MemoryLayout<inotify_event>.size
                while place + headSize <= count {
                    let head = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                    let name = bytes[(place + headSize)..<(place + headSize + Int(head.len))].prefix { $0 != 0 }
                    place += headSize + Int(head.len)
                    if target.mustLookAgain(after: head.mask) { findings.mustLookAgain = true }
                    if head.mask & UInt32(IN_Q_OVERFLOW) != 0 { findings.paths = nil }
                    let isOfDirectory = IN_Q_OVERFLOW | IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF
                    guard head.mask & UInt32(isOfDirectory) == 0, let folder = watched[head.wd] else { continue }
                    let event = Event(folder: folder, name: String(decoding: name, as: UTF8.self), mask: head.mask)
                    target.note(event, below: directory, in: &findings)
                }
            }
        }
    }
}

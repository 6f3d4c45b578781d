// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc
import Telemetry

extension ServiceContext {
    /// Calls `changed` on a separate thread whenever a widget's file was written, replaced or removed.
    ///
    /// `file` is the path of the configuration file. The files of widgets are the `.yml` files in the folder
    /// `widgets.d`, which is in the same folder as `file`. `changed` is also called when `widgets.d` is created later.
    /// The watch lasts until the process ends. If the watch cannot be started, this is logged and counted, and
    /// `changed` is never called.
    public func watchWidgets(beside file: String, changed: @escaping @Sendable () -> Void) {
        do throws(FileWatcher.Failure) {
            try WidgetFolderWatch.start(beside: file, changed: changed)
        } catch {
            metrics.counter(Self.watchFailureCounter).increment()
            log.warning(
                "The folder of widgets cannot be watched. Restart the service after a change in the folder.",
                [.file: file],
                error: error
            )
        }
    }
}

/// The watcher of the folder `widgets.d`, based on inotify.
enum WidgetFolderWatch {
    /// An event from inotify: the watch descriptor of a folder, and the name of the changed file in this folder.
    struct Event: Hashable {
        var watch: Int32
        var name: String
    }

    private static let written = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
    private static let removed = UInt32(IN_DELETE | IN_MOVED_FROM)

    static func start(beside file: String, changed: @escaping @Sendable () -> Void) throws(FileWatcher.Failure) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw FileWatcher.Failure(call: "inotify_init1", code: errno) }
        let folder = URL(filePath: WidgetFile.folder(beside: file)).path
        let parent = URL(filePath: folder).deletingLastPathComponent().path
        guard inotify_add_watch(descriptor, parent, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0 else {
            let code = errno
            close(descriptor)
            throw FileWatcher.Failure(call: "inotify_add_watch '\(parent)'", code: code)
        }
        // The watch descriptor; -1 if the folder does not exist yet.
        let first = inotify_add_watch(descriptor, folder, written | removed)
        ServiceThread.start(named: "widgets-watch") {
            var watch = first
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                let events = events(in: buffer[..<count])
                // The folder was created or moved here. It may already contain files, so its appearance counts as a
                // change.
                let hasFolder = events.contains { $0.watch != watch && $0.name == WidgetFile.folder }
                if hasFolder { watch = inotify_add_watch(descriptor, folder, written | removed) }
                if hasFolder || events.contains(where: { $0.watch == watch && $0.name.hasSuffix(WidgetFile.suffix) }) {
                    changed()
                }
            }
        }
    }

    /// Returns the events in a batch of bytes from inotify.
    ///
    /// Each event consists of a header of 16 bytes, followed by a name. The first 4 bytes of the header are the watch
    /// descriptor, and the last 4 bytes are the length of the name.
    static func events(in bytes: ArraySlice<UInt8>) -> Set<Event> {
        let head = 16
        var found: Set<Event> = []
        var rest = bytes
        func integer(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(rest[rest.startIndex + offset + $1]) << (8 * UInt32($1)) }
        }
        while rest.count >= head {
            let start = rest.startIndex
            let length = Int(integer(at: 12))
            guard rest.count >= head + length else { break }
            let name = rest[(start + head)..<(start + head + length)].prefix { $0 != 0 }
            found.insert(Event(watch: Int32(bitPattern: integer(at: 0)), name: String(decoding: name, as: UTF8.self)))
            rest = rest[(start + head + length)...]
        }
        return found
    }
}

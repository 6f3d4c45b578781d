// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Glibc

/// Says when the configuration's file has changed: written and closed, or replaced by another one.
///
/// Its folder is watched (inotify), because editors replace files. A file that is a link is followed once, at the start.
public enum ConfigurationWatch {
    /// Calls `changed` from a thread of its own for as long as the process lives; nothing happens where the folder
    /// cannot be watched.
    public static func start(_ file: String, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return }
        var watched: Set<String> = []
        for path in Set([file, URL(filePath: file).resolvingSymlinksInPath().path]) {
            let url = URL(filePath: path)
            let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
            guard inotify_add_watch(descriptor, url.deletingLastPathComponent().path, events) >= 0 else { continue }
            watched.insert(url.lastPathComponent)
        }
        let files = watched
        ServiceThread.start(named: "config-watch") {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                if !names(in: buffer[..<count]).isDisjoint(with: files) { changed() }
            }
        }
    }

    /// The file names of a batch of inotify's events: each a head of 16 bytes, whose last four are the name's length.
    static func names(in bytes: ArraySlice<UInt8>) -> Set<String> {
        let head = 16
        var found: Set<String> = []
        var rest = bytes
        while rest.count >= head {
            let start = rest.startIndex
            let length = (0..<4).reduce(0) { $0 | Int(rest[start + 12 + $1]) << (8 * $1) }
            guard rest.count >= head + length else { break }
            let name = rest[(start + head)..<(start + head + length)].prefix { $0 != 0 }
            found.insert(String(decoding: name, as: UTF8.self))
            rest = rest[(start + head + length)...]
        }
        return found
    }
}

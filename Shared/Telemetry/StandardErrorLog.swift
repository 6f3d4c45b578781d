// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import Synchronization

/// Writes each entry as one line to standard error, and never keeps its caller waiting for long.
///
/// A closed standard error is ignored (the process ignores SIGPIPE, which `ServiceRuntime` sees to). Where the reader of
/// a pipe does not read, an entry waits `patienceMilliseconds`, and is dropped then; the next line that can be written says how
/// many were.
public final class StandardErrorLog: LogHandler {
    /// The time that a line waits for room in a full pipe, in milliseconds; after a loss, lines do not wait.
    public static let patienceMilliseconds: Int32 = 50

    private let format: LogFormat
    private let descriptor: Int32
    /// The number of entries that were lost since the last one that was written.
    private let dropped = Mutex(0)

    public init(format: LogFormat) {
        self.format = format
        self.descriptor = STDERR_FILENO
    }

    init(format: LogFormat, descriptor: Int32) {
        self.format = format
        self.descriptor = descriptor
    }

    public func write(_ entry: LogEntry) {
        dropped.withLock { dropped in
            var entry = entry
            if dropped > 0 { entry.metadata[.dropped] = dropped }
            if put(format.line(entry), patient: dropped == 0) {
                dropped = 0
            } else {
                dropped += 1
            }
        }
    }

    /// False if there was no room; true if the line was written, or nobody will ever read it.
    private func put(_ line: String, patient: Bool) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            // A pipe that is ready takes at least PIPE_BUF bytes without blocking, and a line is no longer.
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if Glibc.poll(&poll, 1, patient ? Self.patienceMilliseconds : 0) == 0 { return false }
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if written < 0 && errno == EINTR {
                    continue
                } else {
                    // A non-blocking pipe is full: the line counts as dropped. All else (EPIPE, EBADF, ENOSPC): nobody reads.
                    return errno != EAGAIN
                }
            }
            return true
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
import Locking
import WidgetSchema

/// A log handler that writes each entry as one line to standard error, and never blocks its caller for long.
///
/// A closed standard error is ignored (`ServiceProcess` ignores SIGPIPE). If standard error is a pipe and the pipe is
/// full, an entry waits for at most ``writeTimeout``. If the pipe is still full, the entry is dropped. The next line
/// that is written contains the number of dropped entries.
public final class StandardErrorLog: LogHandler {
    /// The maximum time that a line waits for space in a full pipe.
    ///
    /// After a line was dropped, later lines do not wait: if the pipe has no space, they are dropped at once. After a
    /// line has been written, lines wait again.
    public static let writeTimeout: Duration = .milliseconds(50)

    private let format: LogFormat
    private let descriptor: Int32
    /// The number of entries that were dropped since an entry was last written.
    private let dropped = Lock(0)

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
            if put(format.line(entry), waits: dropped == 0) {
                dropped = 0
            } else {
                dropped += 1
            }
        }
    }

    /// Writes a line; returns false if the pipe had no space for it.
    ///
    /// Also returns true if the write failed for another reason, because in that case nobody can read the log. If
    /// `waits` is true, waits for space for up to ``writeTimeout``.
    private func put(_ line: String, waits: Bool) -> Bool {
        var line = line
        return line.withUTF8 { bytes in
            // A pipe that is ready accepts at least PIPE_BUF bytes without blocking, and a line is no longer than that.
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if Glibc.poll(&poll, 1, waits ? Int32(clamping: Self.writeTimeout.wholeMilliseconds) : 0) == 0 {
                return false
            }
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
                } else if written < 0 && errno == EINTR {
                    continue
                } else {
                    // EAGAIN: a non-blocking pipe is full, so the line counts as dropped. After any other error (EPIPE,
                    // EBADF, ENOSPC), nobody can read the line.
                    return errno != EAGAIN
                }
            }
            return true
        }
    }
}

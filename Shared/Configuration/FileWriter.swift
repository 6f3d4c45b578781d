// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// Functions that write to descriptors and report the exact error.
public enum FileWriter {
    /// Writes all bytes to a descriptor; waits if it accepts none at present.
    public static func write(_ bytes: RawSpan, to descriptor: Int32) throws(SystemCallError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.extracting(last: rest.byteCount - written)
            } else if errno == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw SystemCallError(errno)
            }
        }
    }
}

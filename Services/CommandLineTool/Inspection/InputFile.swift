// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc

/// Functions that open files named on a command line.
///
/// If a file cannot be opened, every command exits with the status `wrongUse`.
enum InputFile {
    static func open(_ path: String) throws(CommandFailure) -> FileHandle {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno == ENOENT ? "there is no such file" : "it cannot be read: \(SystemError.text(errno))"
            throw CommandFailure(.wrongUse, "\(path): \(reason)")
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw CommandFailure(.wrongUse, "\(path): it is a folder; name a file in it")
        }
        // One byte is read, so that a disk error causes the same failure in every command. A pipe does not support
        // `pread`.
        var byte: UInt8 = 0
        if pread(descriptor, &byte, 1, 0) < 0, errno != ESPIPE {
            let reason = SystemError.text(errno)
            close(descriptor)
            throw CommandFailure(.wrongUse, "\(path): it cannot be read: \(reason)")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

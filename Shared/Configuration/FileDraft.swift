// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// A file that is written beside another one and then takes its place.
///
/// Readers see the old content or the new one, also after a power failure or on a full disk. A draft that does not take the
/// place is removed. Only the owner can read it, unless the creator changes that with ``descriptor``.
public struct FileDraft: ~Copyable {
    public let descriptor: Int32
    private let path: String
    private let target: String

    /// Creates an empty draft with a unique name beside `target`, which need not exist.
    public init(for target: String) throws(SystemCallError) {
        let name = target.split(separator: "/").last ?? ""
        var template = Array(FilePath.path(of: ".\(name).XXXXXX", in: FilePath.folder(of: target)).utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SystemCallError(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.target = target
    }

    /// Creates an empty draft at `path`, in the folder of `target`; only one draft at a time may have this path.
    ///
    /// A draft that a killed process has left there is used again.
    public init(for target: String, at path: String) throws(SystemCallError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError(errno) }
        (self.path, self.target) = (path, target)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    public func write(_ bytes: RawSpan) throws(SystemCallError) { try FileWriter.write(bytes, to: descriptor) }

    /// Takes the place of the other file, if there is one.
    public consuming func replace() throws(SystemCallError) {
        guard fsync(descriptor) == 0, rename(path, target) == 0 else { throw SystemCallError(errno) }
        try FilePath.synchronizeFolder(of: target)
    }

    /// Takes a place in which there is no file; throws `EEXIST` if there is one.
    public consuming func create() throws(SystemCallError) {
        // `rename` would replace a file that has appeared meanwhile.
        guard fsync(descriptor) == 0, link(path, target) == 0 else { throw SystemCallError(errno) }
        try FilePath.synchronizeFolder(of: target)
    }
}

extension FilePath {
    /// Waits until the names of the files in the folder of a file are on disk.
    ///
    /// Does nothing if this process must not read the folder, or if its file system does not support that.
    public static func synchronizeFolder(of path: String) throws(SystemCallError) {
        let folder = folder(of: path)
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == EACCES { return }
            throw SystemCallError(errno)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, ENOSYS, EROFS].contains(errno) else {
            throw SystemCallError(errno)
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// Functions for file paths that replace those of Foundation.
///
/// On Linux, `NSString.deletingLastPathComponent` crashes if a path has one character.
public enum FilePath {
    /// Returns the path of the folder that contains a file; empty if `path` is only a file name.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        let folder = path[..<slash]
        return folder.isEmpty ? "/" : String(folder)
    }

    /// Returns the path of a file in a folder; an empty `folder` means the working folder.
    static func path(of name: String, in folder: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Gives an open file to the owner of a folder if this process is root; otherwise the file keeps its owner.
    public static func giveToOwner(ofFolder folder: String, _ descriptor: Int32) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
}

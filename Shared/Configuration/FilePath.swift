// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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
}

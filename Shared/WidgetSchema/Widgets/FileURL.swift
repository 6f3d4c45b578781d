// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The URLs of sources that are files below a configured directory: `file:PATH`, with a relative path.
public enum FileURL {
    public static let scheme = "file:"

    /// Returns the path in a file URL; nil for any other URL.
    public static func path(of url: String) -> String? {
        url.hasPrefix(scheme) ? String(url.dropFirst(scheme.count)) : nil
    }

    /// Returns the URL of a file.
    public static func url(of path: String) -> String { scheme + path }
}

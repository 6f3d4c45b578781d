// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The form in which the URLs of sources are shown and logged.
public enum ShownURL {
    /// Returns a URL with `?…` in place of its query, because the query may contain a secret key.
    public static func text(_ url: String) -> String {
        guard let query = url.firstIndex(of: "?") else { return url }
        return url[..<query] + "?…"
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension TidingsConfiguration.Source {
    /// Returns an error message if the URL of a source is invalid, and nil otherwise.
    public static func problem(url: String) -> String? { RequestSyntax.problem(url: url) }
}

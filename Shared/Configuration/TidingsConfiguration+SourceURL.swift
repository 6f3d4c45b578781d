// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension TidingsConfiguration.Source {
    /// Returns the problem of a source's URL; nil if it is valid.
    public static func problem(url: String) -> String? { RequestSyntax.problem(url: url) }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension TidingsConfiguration.Source {
    /// What is wrong with a source's URL; nil where nothing is.
    public static func problem(url: String) -> String? { RequestSyntax.problem(url: url) }
}

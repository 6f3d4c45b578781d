// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why a text is not a supported YAML document, with its place.
struct YAMLError: Error, Sendable, Equatable {
    var mark: YAMLMark
    var message: String
}

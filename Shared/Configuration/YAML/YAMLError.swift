// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Why a text is no YAML document that is read here, and where.
struct YAMLError: Error, Sendable, Equatable {
    var mark: YAMLMark
    var message: String
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How the attempt of a cycle went.
public enum Outcome: String, Codable, CaseIterable, Sendable {
    case changed
    case sameContent
    case sameBytes
    case notModified
    /// Nothing was asked.
    case fresh
    case failed
}

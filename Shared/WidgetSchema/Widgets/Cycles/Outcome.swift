// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The outcome of a cycle's attempt to get new content.
public enum Outcome: String, Codable, CaseIterable, Sendable {
    case changed
    case sameContent
    case sameBytes
    case notModified
    /// The cycle was made without a request to the origin, or its file does not exist yet.
    case fresh
    case failed
}

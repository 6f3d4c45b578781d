// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason for a cycle's result.
///
/// For the result `noData`, the reason says how it was known that nothing visible had changed: for example, the origin
/// sent the same bytes (``sameBytes``). For the result `failed`, it is the class of the failure.
public enum Reason: String, Codable, CaseIterable, Sendable {
    // newData
    case firstContent
    case visibleChange
    case removed
    // noData
    case notModified
    case sameBytes
    case sameContent
    /// The content or another input of the layout changed, but nothing visible changed.
    case sameRows
    /// The cycle was made without a fetch, and nothing visible changed.
    case fresh
    /// No request was sent, because the host had asked for a pause; see ``Update/blockedUntil``.
    case blocked
    /// The widget has no content yet.
    case missing
    // failed
    case transient
    case rateLimited
    case permanent
    case malformed
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason for a cycle's result.
///
/// For the result `noData`, the reason is the earliest step that showed that nothing changed. For the result `failed`,
/// it is the class of the failure.
public enum Reason: String, Codable, CaseIterable, Sendable {
    // newData
    case firstContent
    case visibleChange
    case removed
    // noData
    case notModified
    case sameBytes
    case sameContent
    /// The content changed, but nothing visible did.
    case sameRows
    /// An update was requested, but no fetch was necessary.
    case fresh
    /// There is no content yet.
    case missing
    // failed
    case transient
    case rateLimited
    case permanent
    case malformed
}

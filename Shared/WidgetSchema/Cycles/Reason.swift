// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Why a cycle got its result: for `noData` how early the "no" was known, for `failed` the failure's class.
public enum Reason: String, Codable, CaseIterable, Sendable {
    // newData
    case firstContent
    case visibleChange
    case removed
    // noData
    case notModified
    case sameBytes
    case sameContent
    /// Content changed and nothing visible did.
    case sameRows
    /// An update was asked for, but nothing had to be fetched.
    case fresh
    /// There is no content yet.
    case missing
    // failed
    case transient
    case rateLimited
    case permanent
    case malformed
}

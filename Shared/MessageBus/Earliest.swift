// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Returns the earlier of two times; nil means that nothing is due.
///
/// Clients use it at each wake-up, so it must not allocate.
func earliest(_ left: ContinuousClock.Instant?, _ right: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let left else { return right }
    guard let right else { return left }
    return right < left ? right : left
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Returns the earlier of two times; if one of them is nil, returns the other one.
///
/// A time of nil means that nothing is due. Clients call this function at each wake-up, so it must not allocate.
func earliest(_ left: ContinuousClock.Instant?, _ right: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    guard let left else { return right }
    guard let right else { return left }
    return right < left ? right : left
}

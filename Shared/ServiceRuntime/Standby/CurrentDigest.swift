// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
public import WidgetSchema

/// A shared variable with the digest of the configuration that a process uses; nil until it is set.
///
/// A reload changes the digest. All members may be called on any thread.
public final class CurrentDigest: Sendable {
    private let digest = Lock<ContentDigest?>(nil)

    public init() {}

    public var value: ContentDigest? { digest.withLock(\.self) }

    public func set(_ value: ContentDigest?) { digest.withLock { $0 = value } }
}

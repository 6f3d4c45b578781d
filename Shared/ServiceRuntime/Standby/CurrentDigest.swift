// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
public import WidgetSchema

/// The digest of the configuration that a process uses, which changes with a reload; nil until it is set.
///
/// Safe on any thread.
public final class CurrentDigest: Sendable {
    private let digest = Mutex<ContentDigest?>(nil)

    public init() {}

    public var value: ContentDigest? { digest.withLock(\.self) }

    public func set(_ value: ContentDigest?) { digest.withLock { $0 = value } }
}

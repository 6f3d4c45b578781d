// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
public import WidgetSchema

/// The digest of a process's configuration, which changes with a reload.
///
/// Safe on any thread.
public final class CurrentDigest: Sendable {
    private let digest = Mutex<ContentDigest?>(nil)

    public init() {}

    public var value: ContentDigest? { digest.withLock(\.self) }

    public func set(_ value: ContentDigest?) { digest.withLock { $0 = value } }
}

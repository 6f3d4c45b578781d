// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// How large frames may be, in bytes.
public enum MessageLimits {
    /// Topics that clients read: `layout/`, `update/`, `heads/`, `health/`.
    ///
    /// CloudEvents asks intermediaries to forward this much.
    public static let clientFrame = 64 * 1024
    /// Everything between services, and answers.
    public static let internalFrame = 1024 * 1024
    /// What the bus accepts on a wire: an internal frame.
    public static let maximumFrame = internalFrame
    /// A page of records stays below this, so that the answer with its keys fits a frame.
    public static let page = 768 * 1024
}

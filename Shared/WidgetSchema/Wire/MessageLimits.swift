// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The maximum sizes of frames, in bytes.
public enum MessageLimits {
    /// Topics that clients read: `layout/`, `update/`, `heads/`, `health/`.
    ///
    /// CloudEvents asks intermediaries to forward this much.
    public static let clientFrame = 64 * 1024
    /// Everything between services, and answers.
    public static let internalFrame = 1024 * 1024
    /// The maximum size of a frame that the bus accepts: that of an internal frame.
    public static let maximumFrame = internalFrame
    /// A page of records stays below this, so that the answer with its keys fits a frame.
    public static let page = 768 * 1024
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The maximum sizes of frames, in bytes.
public enum MessageLimits {
    /// The limit for frames of the topics that clients read: `layout/`, `update/`, `heads/`, `schedule/`, `health/`.
    ///
    /// CloudEvents requires intermediaries to forward events up to this size.
    public static let clientFrame = 64 * 1024
    /// The limit for each frame of a message that only services read, and for each frame of a request or an answer.
    public static let internalFrame = 1024 * 1024
    /// The limit for frames that the bus accepts; it equals ``internalFrame``.
    public static let maximumFrame = internalFrame
    /// The limit for the total size of the records on one page, with their contents; a single record may exceed it.
    public static let page = 768 * 1024
}

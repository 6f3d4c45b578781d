// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One long-running part of a process.
///
/// When `run` returns, the part is done and the process ends; when it throws, the part failed. A service must return
/// soon after the process's `StopSignal` stops; it registers the action that wakes it there.
public protocol Service: Sendable {
    func run() async throws
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One long-running part of a process.
///
/// Returning from `run` means that the part is done, and the process ends; throwing means that it failed. A service returns
/// soon after the process's `StopSignal` stops: it registers there what wakes it.
public protocol Service: Sendable {
    func run() async throws
}

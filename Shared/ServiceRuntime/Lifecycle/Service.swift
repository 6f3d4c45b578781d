// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One long-running part of a process.
///
/// When `run` returns, the part is complete and the process ends; when it throws, the part has failed. `run` must
/// return soon after the process's `StopSignal` is triggered. To be woken, a service registers an action with that
/// signal.
public protocol Service: Sendable {
    func run() async throws
}

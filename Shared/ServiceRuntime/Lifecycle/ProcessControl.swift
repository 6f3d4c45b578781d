// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The signals that tell a process to stop or to reload, and the maximum time that it may take to stop.
public struct ProcessControl: Sendable {
    public var stop: StopSignal
    /// The signal that SIGHUP triggers; nil for a process that cannot reload.
    public var reload: ReloadSignal?
    /// The maximum time between the request to stop and the exit of the process.
    public var deadline: Duration

    public init(
        stop: StopSignal,
        reload: ReloadSignal? = nil,
        deadline: Duration = ServiceProcess.stopTimeout
    ) {
        self.stop = stop
        self.reload = reload
        self.deadline = deadline
    }
}

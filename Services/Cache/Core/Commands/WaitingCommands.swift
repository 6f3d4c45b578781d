// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The commands that wait for the outcome of a fetch, and their requesters.
struct WaitingCommands: Sendable {
    /// The keys of the commands, by widget.
    var byWidget: [WidgetID: Set<CommandKey>] = [:]
    var requesters: [CommandKey: [CommandWaiter]] = [:]
}

/// A requester that waits for the cycle that its command causes.
struct CommandWaiter: Sendable {
    var requester: RequesterID
    var key: CommandKey
    var until: Instant
}

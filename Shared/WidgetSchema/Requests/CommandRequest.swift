// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request that sends a command to the cache.
///
/// The answer contains the cycle that the command made. The verdict of this cycle is published later, as
/// `update/RESULT/WIDGET/`. The client and the counter together make the request idempotent: the cache stores the last
/// counter of each client and widget for 24 hours.
public struct CommandRequest: RequestBody {
    public static let name = "command"
    public typealias Result = CycleAnswer

    public var client: String
    public var counter: UInt64
    public var widget: WidgetID
    public var command: Command
    /// The display to which `setExpanded` or `nextValue` applies; nil for all displays.
    ///
    /// The name of a device stands for both displays of the device, compact and expanded.
    public var display: DisplayName?

    public init(
        client: String,
        counter: UInt64,
        widget: WidgetID,
        command: Command,
        display: DisplayName? = nil
    ) {
        self.client = client
        self.counter = counter
        self.widget = widget
        self.command = command
        self.display = display
    }
}

/// The cycle that a command or a push made.
public struct CycleAnswer: Codable, Hashable, Sendable {
    public var widget: WidgetID
    public var sequence: SequenceNumber

    public init(widget: WidgetID, sequence: SequenceNumber) {
        self.widget = widget
        self.sequence = sequence
    }
}

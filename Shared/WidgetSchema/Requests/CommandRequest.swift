// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

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
    /// The display for which the command is; nil for all displays.
    ///
    /// The name of a device stands for both displays of the device, compact and expanded. `refresh` fetches for all
    /// displays, whichever is named.
    public var display: DisplayName?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case client, counter, widget, command, display
    }

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

extension CommandRequest {
    /// The maximum size of a command as JSON, in bytes.
    package static let maximumBytes = 4096

    /// Throws if a request or the command in it has an unknown member.
    ///
    /// Other requests may have members of later versions. An ignored member of a command would change its meaning:
    /// with a misspelt `display`, a command is for all displays. `json` must be a valid request.
    package static func checkMembers(of json: Data) throws(WireError) {
        guard json.count <= maximumBytes else {
            throw WireError.malformed(path: "", problem: "a command has at most \(maximumBytes) bytes")
        }
        let known = CodingKeys.allCases.map(\.stringValue) + RequestFields.names
        for name in try WireJSON.memberNames(in: json) where !known.contains(name) {
            throw WireError.unknownMember(name, of: "the request 'command'", known: known)
        }
        let command = try WireJSON.decode(CommandRequest.self, from: json).command
        let path = CodingKeys.command.stringValue
        for name in try WireJSON.memberNames(in: json, of: path) where !command.memberNames.contains(name) {
            throw WireError.unknownMember("\(path).\(name)", of: "\(command.name.rawValue)", known: command.memberNames)
        }
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

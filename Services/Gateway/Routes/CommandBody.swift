// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Text
import WebServer
import WidgetSchema

/// The command in a request, with its display.
struct CommandBody: Sendable {
    private struct Body: Decodable {
        var display: DisplayName?
    }

    let command: Command
    /// The display or device that the command is for; nil for all displays.
    let display: DisplayName?

    /// Reads the body of a request.
    ///
    /// If the path determines the command, it is `fixed`; the body then may be empty, and has only a display. Throws if
    /// the body or the query has an unknown member, because an ignored one would send the command to all displays, or
    /// if both have a display, and not the same one.
    init(_ call: Call, fixed: Command? = nil) throws(Problem) {
        let body = call.request.body
        guard body.count <= CommandRequest.maximumBytes else {
            throw .badBody("The body of a command has at most \(CommandRequest.maximumBytes) bytes.")
        }
        let queried = try Self.display(inQueryOf: call)
        let shape =
            fixed == nil
            ? "{\"name\": NAME, \"display\": DISPLAY} with one of the names "
                + Command.Name.allCases.map(\.rawValue).joined(separator: ", ")
                + "; setExpanded also needs \"expanded\", and without \"display\" the command is for all displays"
            : "{\"display\": DISPLAY}, or no body for all displays"
        let given: DisplayName?
        do throws(WireError) {
            let isEmpty = fixed != nil && body.isEmpty
            let names = isEmpty ? [] : try WireJSON.memberNames(in: body)
            try Self.check(names, known: fixed == nil ? ["name", "expanded", "display"] : ["display"])
            if let fixed { command = fixed } else { command = try WireJSON.decode(Command.self, from: body) }
            if fixed == nil { try Self.check(names, known: command.memberNames + ["display"]) }
            given = isEmpty ? nil : try WireJSON.decode(Body.self, from: body).display
        } catch {
            throw .badBody("Expected \(shape). \(error).")
        }
        if let given, let queried, given != queried {
            throw Problem(
                422,
                "two-displays",
                "The body and the query name different displays.",
                "The body's `display` is '\(given)', and the query's is '\(queried)'. Write one of them."
            )
        }
        display = given ?? queried
    }

    private static func display(inQueryOf call: Call) throws(Problem) -> DisplayName? {
        for (name, _) in call.request.query where name != "display" {
            throw .badParameter(String(name.prefix(40)), "it \(unknown(name, known: ["display"])).")
        }
        guard let text = call.request.query.first?.value else { return nil }
        guard call.request.query.count == 1, let display = DisplayName(rawValue: text) else {
            throw .badParameter("display", "write one display or device. A name: \(DisplayName.rule).")
        }
        return display
    }

    private static func check(_ names: [String], known: [String]) throws(WireError) {
        guard let name = names.first(where: { !known.contains($0) }) else { return }
        throw WireError.malformed(path: String(name.prefix(40)), problem: unknown(name, known: known))
    }

    private static func unknown(_ name: String, known: [String]) -> String {
        "is unknown here"
            + EditDistance.hint(for: name, among: known, else: "; known are \(known.joined(separator: ", "))")
    }
}

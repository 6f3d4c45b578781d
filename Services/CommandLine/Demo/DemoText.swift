// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime

/// What the demo writes: its configuration, and what it says about itself.
enum DemoText {
    static let widget = "blog"
    static let interval = "2s"

    /// The configuration: one feed that is due all the time, on a phone of each kind.
    static func configuration(feed: String) -> String {
        """
        # Made by `tidings demo`.
        store: store
        fetching:
          allowPrivateNetworks: true
          hostSpacing: 0s
          interval: \(interval)
          minimumInterval: \(interval)
        displays:
          phone-classic:
            family: todayClassic
          phone:
            family: today
        widgets:
          \(widget):
            kind: feed
            source: \(feed)

        """
    }

    /// What the demo shows, and what to try beside it.
    static func introduction(feed: String, bus: BusAddress, executable: String, style: TextStyle) -> String {
        var commands = [
            ("\(executable) subscribe", "the same rows; --json: the events"),
            ("\(executable) send \(widget) setExpanded true", "\"Show more\""),
            ("\(executable) get \(widget)", "the last update in full"),
        ].map { command, comment in
            let comment = "  # \(comment)"
            let fits = command.count + comment.count + 2 <= Terminal.standardColumns
            return "  " + style.text(command, .strong) + (fits ? style.text(comment, .faint) : "") + "\n"
        }
        if bus != .standard {
            let variable = "\(EnvironmentVariable.bus.name)=\(bus.short)"
            commands.insert("  " + style.text("export \(variable)", .strong) + "\n", at: 0)
        }
        return """
            A small blog is fetched every 2 seconds; at times a post arrives, at times not,
            at times the server fails. Each row is the verdict on one fetch: does anybody
            see a change, and where? LATENCY counts from the server's answer to the verdict.
            The blog: \(feed)
            Try in a second terminal:
            \(commands.joined())Ctrl-C ends the demo.


            """
    }

    /// How this program is called from the working folder.
    static func executable(_ typed: String, path: String, workingFolder: String) -> String {
        if !typed.hasPrefix("/") { return typed }
        let folder = workingFolder.hasSuffix("/") ? workingFolder : workingFolder + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : typed
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import Foundation
import WidgetSchema

/// The addresses of a running demo.
struct DemoAddresses: Sendable {
    /// The address on which the gateway listens, `HOST:PORT`.
    let gateway: String
    /// A token for the pages; nil if reads need none.
    let token: String?
    /// The URL of the origin.
    let origin: String

    /// The URL of the page on this machine.
    var page: String {
        for (every, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where gateway.hasPrefix(every) {
            return "http://\(own)\(gateway.dropFirst(every.count))/"
        }
        return "http://\(gateway)/"
    }

    /// The URL of the picture of the board.
    var board: String { "\(page)boards/\(DemoText.board).png" + (token.map { "?token=\($0)" } ?? "") }
}

/// The texts of the demo: its configuration and its introduction.
enum DemoText {
    static let widget = "blog"
    static let documents = "documents"
    static let place = "place"
    static let board = "kitchen"
    static let interval = "2s"

    /// Returns the text of the demo's configuration, with a widget of each kind, displays of phones with iOS 8 and
    /// iOS 10, and a board.
    ///
    /// The widget `blog` is due for a fetch every two seconds. `origin` converts a path to a URL of the demo's origin.
    /// `timeZone` is the time zone of the board, and of the widgets `weather` and `quote`.
    static func configuration(origin: (String) -> String, timeZone: String) -> String {
        """
        # Made by `tidings demo`.
        store: store
        fetching:
          allowPrivateNetworks: true
          hostSpacing: 0s
          interval: \(interval)
        gateway:
          linkSchemes: [\(DemoApp.linkScheme)]
        displays:
          phone-classic:
            family: todayClassic
          phone:
            family: today
        widgets:
          \(widget):
            name: Neighbourhood
            kind: feed
            source: \(origin("/blog.xml"))
          \(place):
            name: Place
            kind: keyValue
            source: \(origin("/place.json"))
            values:
              City: /city
              Region: /region
              Country: /country
              Time zone: /timezone
              Postcode: /postal_code
              Network: /organization
            interval: 20s
          weather:
            name: Weather
            kind: forecast
            source: \(origin("/weather.json"))
            interval: 10s
            timeZone: \(timeZone)
          quote:
            name: Quote of the day
            kind: quote
            source: \(origin("/quotes.json"))
            interval: 60s
            timeZone: \(timeZone)
          \(documents):
            name: Documents
            kind: documents
            source: push
            actions:
              - {title: New, icon: square.and.pencil, url: "\(DemoApp.linkScheme)://new"}
              - {title: Scan, icon: doc.viewfinder, url: "\(DemoApp.linkScheme)://scan"}
              - {title: Search, icon: magnifyingglass, url: "\(DemoApp.linkScheme)://search"}
          builds:
            name: Builds
            kind: json
            source: \(origin("/builds.json"))
            interval: 5s
            items:
              list: /builds
              id: /number
              title: /name
              subtitle: {pointer: /coverage, format: percent}
              date: {pointer: /finished, format: unixSeconds}
              link: /url
        boards:
          \(board):
            model: trmnl-og
            layout: two-three
            header: date
            locale: en_GB
            timeZone: \(timeZone)
            cells:
              - {widget: \(widget)}
              - {widget: weather}
              - {widget: quote}
              - {widget: \(place)}
              - {widget: \(documents)}
        destinations:
          webhook:
            kind: webhook
            url: \(origin(DemoOrigin.deliveries))
            allowPrivateNetworks: true
            widgets: [\(widget)]

        """
    }

    /// Returns the text that the demo prints when it starts: an explanation of its output, and commands to try.
    static func introduction(
        of demo: DemoAddresses,
        bus: BusAddress,
        executable: String,
        terminal: Terminal
    ) -> String {
        let style = terminal.style
        var commands = [
            ("\(executable) subscribe", "the same rows; --json: the events"),
            ("\(executable) send \(widget) setExpanded true", "\"Show more\""),
            ("\(executable) get weather -d phone-classic", "as it is shown"),
        ].map { command, comment in
            let comment = "  # \(comment)"
            let fits = command.count + comment.count + 2 <= terminal.columns
            return "  " + style.text(command, .strong) + (fits ? style.text(comment, .faint) : "") + "\n"
        }
        if bus != .standard {
            let variable = "\(EnvironmentVariable.bus.name)=\(bus.short)"
            commands.insert("  " + style.text("export \(variable)", .strong) + "\n", at: 0)
        }
        let signIn = demo.token.map { "Other machines reach it, too. Sign in with \(style.text($0, .strong))\n" } ?? ""
        let explanation = wrap(
            "A small blog is fetched every 2 seconds; at times a post arrives, at times not, at times the server "
                + "fails. Beside it: a place's facts, the weather, a quote, builds, and documents that an app opens. "
                + "Within a minute it is midnight for weather and quote. Each row is the verdict on one cycle: does "
                + "anybody see a change? HEADLINE is what the widget shows, or what failed.",
            terminal
        )
        return """
            Open \(style.text(demo.page, .strong)) in a browser to see the widgets.
            \(signIn)\(style.text(demo.board, .strong)) is a board for electronic paper.

            \(explanation)
            All of it comes from \(demo.origin)
            Try in a second terminal:
            \(commands.joined())Ctrl-C ends the demo.


            """
    }

    /// Breaks a text into lines that fit the terminal, but not longer than those of a help text.
    static func wrap(_ text: String, _ terminal: Terminal) -> String {
        OptionTable.wrap(text, indent: 0, columns: min(terminal.columns, OptionTable.helpColumns))
    }

    /// Returns the command that runs this program from the working folder.
    ///
    /// `typed` is the command as the user typed it, and `path` is the path of the executable. If `typed` is an absolute
    /// path and `path` is in the working folder, returns `path` relative to the working folder. Otherwise, returns
    /// `typed`.
    static func executable(_ typed: String, path: String, workingFolder: String) -> String {
        if !typed.hasPrefix("/") { return typed }
        let folder = workingFolder.hasSuffix("/") ? workingFolder : workingFolder + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : typed
    }
}

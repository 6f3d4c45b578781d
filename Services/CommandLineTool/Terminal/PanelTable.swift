// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Panels as rows, with what needs attention below them, and the panels that were refused.
struct PanelTable {
    private static let stateWidth = 12
    private static let batteryWidth = 7
    private static let timeWidth = 9
    private static let signalWidth = 7
    private static let countWidth = 8
    private static let delayWidth = 6
    private static let firmwareWidth = 8
    private static let pictureWidth = 24
    private static let minimumNameWidth = 6
    private static let maximumNameWidth = 24
    private static let boardWidth = 12

    private let report: PanelReport
    private let columns: TextColumns
    private let now: Instant

    init(_ report: PanelReport, _ terminal: Terminal, at now: Instant) {
        self.report = report
        self.now = now
        let longest = report.panels.map { CharacterWidth.columns(of: Self.name($0)) }.max() ?? 0
        let nameWidth = min(max(longest, Self.minimumNameWidth), Self.maximumNameWidth)
        columns = TextColumns(
            [
                (nameWidth, .left), (Self.stateWidth, .left), (Self.boardWidth, .left), (Self.batteryWidth, .right),
                (Self.signalWidth, .right), (Self.timeWidth, .right), (Self.timeWidth, .right),
                (Self.countWidth, .right), (Self.countWidth, .right), (Self.countWidth, .right),
                (Self.delayWidth, .right), (Self.firmwareWidth, .left), (Self.pictureWidth, .left),
            ],
            style: terminal.style
        )
    }

    var lines: [String] {
        var lines: [String] = []
        if report.panels.isEmpty {
            lines.append("There are no panels. Add them under 'panels' in the configuration.")
        } else {
            let titles = [
                "PANEL", "STATE", "BOARD", "BATTERY", "SIGNAL", "LAST", "NEXT", "WAKES", "REDRAWS", "SAVED", "DELAY",
                "FIRMWARE", "PICTURE",
            ]
            lines.append(columns.line(titles.map { TextColumns.Cell($0, .strong) }))
        }
        for panel in report.panels {
            lines.append(row(panel))
            lines += panel.warnings.map { "  \($0)" }
        }
        for panel in report.refused {
            let age = Self.age(since: panel.lastSeen, now)
            lines.append("Refused \(age) ago: \(panel.id) \(Self.remedy(panel.reason, of: panel.id)).")
        }
        if let pairing = report.pairing {
            let whom = pairing.panel.map { "panel \($0)" } ?? "all panels of the configuration without a key"
            lines.append("The pairing window is open for \(whom), for another \(Self.age(since: now, pairing.until)).")
        }
        return lines
    }

    /// Returns the reason for a refusal, with the remedy.
    private static func remedy(_ reason: String, of id: PanelID) -> String {
        switch reason {
        case "unknown": "is new; add the lines that it shows to the configuration"
        case "unpaired": "has no key yet; run 'tidings panel pair', and press its button"
        case "wrongKey": "has another key; run 'tidings panel pair \(id)', and press its button"
        default: reason
        }
    }

    private func row(_ panel: PanelReport.Entry) -> String {
        let volts = panel.batteryMillivolts.map { millivolts in
            "\(millivolts / 1_000).\(String(millivolts % 1_000 + 1_000).dropFirst().prefix(2)) V"
        }
        let state = panel.sleepUntil == nil ? panel.state.rawValue : "asleep"
        return columns.line([
            TextColumns.Cell(Self.name(panel)),
            TextColumns.Cell(state, panel.warnings.isEmpty ? nil : .strong),
            TextColumns.Cell(panel.board?.rawValue ?? "–"),
            TextColumns.Cell(volts ?? "–"),
            TextColumns.Cell(panel.signal.map { "\($0) dBm" } ?? "–"),
            TextColumns.Cell(panel.lastWake.map { Self.age(since: $0, now) + " ago" } ?? "–"),
            TextColumns.Cell(panel.nextWake.map { now < $0 ? "in " + Self.age(since: now, $0) : "due" } ?? "–"),
            TextColumns.Cell("\(panel.wakes)"),
            TextColumns.Cell("\(panel.redraws)"),
            TextColumns.Cell("\(panel.redrawsSaved)"),
            TextColumns.Cell(panel.lastDelaySeconds.map { HealthTable.age($0 * 1_000) } ?? "–"),
            TextColumns.Cell(panel.firmware ?? "–"),
            TextColumns.Cell(panel.picture ?? "–"),
        ])
    }

    private static func name(_ panel: PanelReport.Entry) -> String { panel.name?.rawValue ?? panel.id?.rawValue ?? "?" }

    private static func age(since start: Instant, _ end: Instant) -> String {
        HealthTable.age(end.milliseconds(since: start))
    }
}

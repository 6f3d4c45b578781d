// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

/// Tests of the table of `tidings panel list`.
@Suite struct PanelTableTests {
    @Test func aRowHasAllThatIsKnownOfAPanel() throws {
        let now = Instant(milliseconds: 1_764_500_000_000)
        var entry = PanelReport.Entry(state: .paired)
        (entry.name, entry.board) = (PanelName(rawValue: "hall"), BoardID(rawValue: "kitchen"))
        (entry.batteryMillivolts, entry.signal, entry.firmware) = (4_020, -67, "1.8.15")
        (entry.lastWake, entry.nextWake) = (now.advanced(by: .seconds(-120)), now.advanced(by: .seconds(780)))
        (entry.wakes, entry.redraws, entry.redrawsSaved) = (96, 12, 84)
        (entry.lastDelaySeconds, entry.picture) = (45, "screen-0a1b2c-1764500000")
        let report = PanelReport(panels: [entry], refused: [], pairing: nil)
        let lines = PanelTable(report, Terminal(columns: 200, style: .plain), at: now).lines
        let titles = try #require(lines.first).split(separator: " ")
        #expect(
            titles == [
                "PANEL", "STATE", "BOARD", "BATTERY", "SIGNAL", "LAST", "NEXT", "WAKES", "REDRAWS", "SAVED", "DELAY",
                "FIRMWARE", "PICTURE",
            ]
        )
        let row = try #require(lines.last).split(separator: " ").joined(separator: " ")
        #expect(
            row == "hall paired kitchen 4.02 V -67 dBm 2m ago in 13m 96 12 84 45s 1.8.15 screen-0a1b2c-1764500000"
        )
    }

    @Test func aRefusedPanelHasTheReasonAndWhatToDo() throws {
        let now = Instant(milliseconds: 1_764_500_000_000)
        let id = try #require(PanelID(rawValue: "AA:BB:CC:00:11:22"))
        let lines = ["unknown", "unpaired", "wrongKey"].map { reason in
            let refused = PanelReport.RefusedPanel(id: id, reason: reason, lastSeen: now.advanced(by: .seconds(-60)))
            let report = PanelReport(panels: [], refused: [refused], pairing: nil)
            return PanelTable(report, Terminal(columns: 200, style: .plain), at: now).lines.last
        }
        #expect(
            lines == [
                "Refused 1m ago: \(id) is new; add the lines that it shows to the configuration.",
                "Refused 1m ago: \(id) has no key yet; run 'tidings panel pair', and press its button.",
                "Refused 1m ago: \(id) has another key; run 'tidings panel pair \(id)', and press its button.",
            ]
        )
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Boards behind the cores of cache, layout service and notifier.
@Suite struct BoardChainTests {
    @Test(arguments: [44] as [UInt64])
    func theDigestOfABoardChangesExactlyIfItsPixelsDo(seed: UInt64) throws {
        let year = try KitchenYear(seed: seed)
        try year.run(days: TestExtent.of(4, nightly: 365))
        for violation in year.violations { Issue.record("\(violation)") }
        print("\(year.pictures) pictures, \(year.changes) changes, \(year.updates)")
        #expect(year.changes > 30 && year.pictures > year.changes)
        for kind in KitchenYear.Kind.allCases { #expect(year.updates[kind, default: 0] > 0, "\(kind)") }
    }

    /// A number of widgets, and of cells that show each of them.
    struct Extent: Sendable {
        var widgets: Int
        var cells: Int
    }

    private static let start = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 36_000_000)

    /// Returns boards of 24 cells, with the longest names; the widgets take turns.
    private static func configuration(_ extent: Extent) -> String {
        let palettes = ["mono", "gray4", "gray16"]
        let all = extent.widgets * extent.cells
        var text = "boards:\n"
        for (number, first) in stride(from: 0, to: all, by: Board.maximumCells).enumerated() {
            let cells = (first..<min(first + Board.maximumCells, all)).map { index in
                let place = index - first
                return "{widget: w\(index % extent.widgets), at: [\(place % 6 + 1), \(place / 6 + 1)]}"
            }
            text += """
                  \(name(number)):
                    {width: 800, height: 480, palette: \(palettes[number % 3]), columns: 6, rows: 4, header: date,
                     locale: de_DE, timeZone: Europe/Berlin, cells: [\(cells.joined(separator: ", "))]}

                """
        }
        text += "widgets:\n"
        for number in 0..<extent.widgets {
            text += "  w\(number): {kind: feed, source: \"https://h\(number).example/\", interval: 1h}\n"
        }
        return text
    }

    private static func name(_ number: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "b", count: 55 - digits.count) + digits
    }

    private static func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test(
        arguments: TestExtent.of(
            [Extent(widgets: 3, cells: Board.maximumCellsOfWidget)],
            nightly: [
                Extent(widgets: 3, cells: Board.maximumCellsOfWidget), Extent(widgets: 100, cells: 60),
            ]
        )
    )
    func updatesOfWidgetsOnManyBoardsAndTheirPicturesStayWithinTheLimits(extent: Extent) throws {
        let (clock, memory) = (ContinuousClock(), try Self.memory())
        let chain = try BoardChain(Self.configuration(extent), at: Self.start)
        var traffic = KitchenTraffic(seed: 1, start: Self.start)
        var shown = 0
        let time = try clock.measure {
            // Three fetches of each widget, and a midnight.
            try chain.advance(
                to: Self.start.advanced(byMilliseconds: 15 * 3_600_000),
                outcome: { try traffic.outcome(of: $0, at: chain.cache.now) },
                judge: { update in
                    shown += 1
                    let displays = update.data.displays
                    #expect(displays.values.count { $0.board != nil } == extent.cells)
                    #expect(displays.values.allSatisfy { $0.board == nil || $0.changed != nil })
                }
            )
        }
        #expect(chain.largestUpdate <= MessageLimits.clientFrame)
        #expect(chain.view.count == (extent.widgets * extent.cells + 23) / Board.maximumCells)
        var sizes: [Int] = []
        for number in 0..<3 {
            let board = try #require(BoardID(rawValue: Self.name(number)))
            let picture = try #require(try chain.picture(of: board))
            sizes.append(picture.png.count)
            #expect(try WireJSON.encode(picture.request).count <= BoardRequest.maximumBytes)
        }
        // At 1, 2 and 4 bits.
        for (size, limit) in zip(sizes, [15_000, 40_000, 70_000]) { #expect(size <= limit) }
        print(
            """
            \(extent.widgets) widgets on \(extent.cells) cells each: \(shown) updates in \(time), the largest of \
            \(chain.largestUpdate) bytes; \(try Self.memory() - memory) KiB more memory; pictures of \(sizes) bytes
            """
        )
    }
}

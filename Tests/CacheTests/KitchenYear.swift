// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import WidgetSchema

@testable import Cache

/// A simulated year of two boards with the same five widgets, which records where digests and pixels disagree.
///
/// `kitchen` has a header, whose time of the last change belongs to the picture. `hall` has none, so that a digest that
/// changes without a visible change of a cell is found.
final class KitchenYear {
    private static let day: Int64 = 86_400_000
    private static let minute: Int64 = 60_000
    private static let zone = "Europe/Berlin"
    /// Every 50th update that claims no change is drawn nevertheless.
    private static let checkedEach = 50

    private(set) var violations: [String] = []
    private(set) var pictures = 0
    private(set) var changes = 0
    /// The number of updates by what they tell.
    private(set) var updates: [Kind: Int] = [:]

    /// The subject of an update, so that a test can require that each occurred.
    enum Kind: Hashable, CaseIterable {
        case invisible, visible, midnight, failed, stale, hidden, removed, restarted, moved
    }

    private enum Disturbance {
        case push, refresh, move, remove, restart

        static let deck: [Disturbance] =
            Array(repeating: .push, count: 7) + [.refresh, .refresh, .move, .remove, .restart]
    }

    private var random: SeededGenerator
    private var traffic: KitchenTraffic
    private let chain: BoardChain
    private let boards: [BoardID]
    private var last: [BoardID: BoardChain.Picture] = [:]
    /// The pixels of each digest.
    private var known: [BoardID: [String: Data]] = [:]
    private var count = 0
    private var counter: UInt64 = 0
    private var deck: [Disturbance] = []
    private var isMoved = false
    private var isRemoved = false

    /// Returns the configuration; `isMoved` is the one with other places of the cells; `isRemoved` the one without the widget `home`.
    private static func configuration(isMoved: Bool, isRemoved: Bool) -> String {
        var cells = ["{widget: news}", "{widget: weather, name: Lissabon}", "{widget: wisdom}", "{widget: home}"]
        if isMoved { cells.reverse() }
        cells.append("{widget: recent}")
        let list = "[" + cells.joined(separator: ", ") + "]"
        let values = "values: {Living room: /living, Bedroom: /bedroom, Power: /power, Bins: /bins}, show: all"
        let home = "home: {kind: keyValue, name: Home, source: \"https://home.example/1\", interval: 3h, \(values)}"
        return """
            boards:
              kitchen:
                {model: trmnl-og, layout: two-three, header: date, locale: de_DE, timeZone: \(zone), cells: \(list)}
              hall:
                {width: 400, height: 300, palette: gray4, layout: two-three, header: none, locale: en_GB,
                 timeZone: \(zone), cells: \(list)}
            widgets:
              news: {kind: feed, source: "https://news.example/feed.xml", interval: 90m}
              weather: {kind: forecast, source: "https://weather.example/1", interval: 4h, timeZone: \(zone)}
              wisdom: {kind: quote, name: Wisdom, source: "https://quotes.example/1", interval: 24h, timeZone: \(zone)}
              recent: {kind: documents, name: Recent, source: push}
            \(isRemoved ? "" : "  " + home)

            """
    }

    init(seed: UInt64) throws {
        let start = Instant(year: 2026, month: 3, day: 20, millisecondsOfDay: 9 * 3_600_000)
        random = SeededGenerator(seed: seed)
        traffic = KitchenTraffic(seed: seed &+ 1, start: start)
        chain = try BoardChain(Self.configuration(isMoved: false, isRemoved: false), at: start)
        boards = ["kitchen", "hall"].compactMap { BoardID(rawValue: $0) }
    }

    func run(days: Int) throws {
        let end = chain.cache.now.advanced(byMilliseconds: Int64(days) * Self.day)
        try pushDocuments()
        while chain.cache.now < end, violations.count < 10 {
            let wait = Int64.random(in: 1...720, using: &random) * Self.minute
            try chain.advance(
                to: chain.cache.now.advanced(byMilliseconds: wait),
                outcome: { try traffic.outcome(of: $0, at: chain.cache.now) },
                judge: judge
            )
            try disturb()
        }
    }

    // MARK: Disturbances

    /// Makes the next disturbance; each occurs once in ``deck``, in a random order.
    private func disturb() throws {
        counter += 1
        if deck.isEmpty { deck = Disturbance.deck.shuffled(using: &random) }
        switch deck.removeLast() {
        case .push: try pushDocuments()
        case .refresh: chain.cache.command(.refresh, counter: counter, on: try widget("news"))
        case .move:
            isMoved.toggle()
            updates[.moved, default: 0] += 1
            try configure()
        case .remove:
            isRemoved.toggle()
            try configure()
        case .restart:
            updates[.restarted, default: 0] += 1
            chain.cache.restart()
        }
        try chain.pass(judge)
    }

    private func configure() throws {
        try chain.configure(Self.configuration(isMoved: isMoved, isRemoved: isRemoved))
    }

    private func pushDocuments() throws {
        counter += 1
        let (content, hasContent) = traffic.openedDocuments(at: chain.cache.now)
        try chain.push(content, to: try widget("recent"), counter: counter, hasContent: hasContent)
    }

    private func widget(_ name: String) throws -> WidgetID {
        guard let id = WidgetID(rawValue: name) else { throw RequestError(.failed, "\(name) is no id of a widget.") }
        return id
    }

    // MARK: Judgement

    private func judge(_ update: Event<Update>) throws {
        count += 1
        let isVisible = !update.data.changed.isEmpty || update.data.cause == .clock
        note(update.data, isVisible)
        updates[.stale] = chain.staleCycles
        for board in boards {
            guard let state = chain.view[board] else { continue }
            let isOther = last[board]?.digestedText != state.visibleText
            guard isVisible || isOther || count.isMultiple(of: Self.checkedEach) else { continue }
            guard let picture = try chain.picture(of: board) else { continue }
            pictures += 1
            compare(picture, of: board, after: update)
            last[board] = picture
        }
    }

    private func note(_ update: Update, _ isVisible: Bool) {
        updates[isVisible ? .visible : .invisible, default: 0] += 1
        if update.cause == .clock { updates[.midnight, default: 0] += 1 }
        if update.cause == .removed { updates[.removed, default: 0] += 1 }
        if update.outcome == .failed { updates[.failed, default: 0] += 1 }
        if !update.hasContent { updates[.hidden, default: 0] += 1 }
    }

    private func compare(_ picture: BoardChain.Picture, of board: BoardID, after update: Event<Update>) {
        if let before = last[board] {
            let isOther = (digest: before.digestedText != picture.digestedText, pixels: before.png != picture.png)
            if isOther.pixels { changes += 1 }
            if isOther.digest != isOther.pixels {
                violations.append(
                    """
                    \(board) after \(update.data.cause) of \(update.widget?.rawValue ?? "") at \(chain.cache.now): the digest \
                    \(isOther.digest ? "changed" : "did not change"), the pixels \(isOther.pixels ? "did" : "did not")
                    \(before.digestedText)\(picture.digestedText)
                    """
                )
            }
        }
        if let png = known[board]?[picture.digestedText], png != picture.png {
            violations.append("\(board) at \(chain.cache.now): the same digest has had other pixels")
        }
        known[board, default: [:]][picture.digestedText] = picture.png
    }
}

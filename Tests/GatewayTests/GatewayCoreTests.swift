// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Testing
import WidgetSchema

@testable import Gateway

@Suite struct GatewayCoreTests {
    private let now = Samples.now

    private func published(_ effects: [GatewayEffect]) -> [StreamedUpdate] {
        effects.compactMap { if case .publish(let update) = $0 { update } else { nil } }
    }

    private func live(_ core: inout GatewayCore, _ event: Event<Update>) throws -> [GatewayEffect] {
        core.handle(.update(event, json: try WireJSON.encode(event)), now: now)
    }

    /// A core that has joined with these updates.
    private func joined(_ events: [Event<Update>]) -> GatewayCore {
        var core = GatewayCore()
        _ = core.handle(.subscribed, now: now)
        _ = core.handle(.snapshot(Records(records: events, more: false)), now: now)
        return core
    }

    @Test func aSnapshotIsReadPageByPageBeforeLiveUpdatesCount() throws {
        var core = GatewayCore()
        let first = core.handle(.subscribed, now: now)
        guard case .askSnapshot(nil) = first.first else { throw Unexpected(first) }
        #expect(published(try live(&core, try Samples.event("blog", 11))).isEmpty)
        let page = core.handle(.snapshot(Records(records: [try Samples.event("blog", 10)], more: true)), now: now)
        #expect(published(page).map(\.range.sequence) == [10])
        guard case .askSnapshot(after: try Samples.widget("blog")) = page.last else { throw Unexpected(page) }
        #expect(!core.isReady)
        let last = core.handle(.snapshot(Records(records: [try Samples.event("news", 5)], more: false)), now: now)
        #expect(published(last).map(\.range.sequence) == [5, 11])
        #expect(published(last).map(\.offset) == [2, 3])
        #expect(core.isReady)
    }

    @Test func aSnapshotThatFailsIsAskedForAgainLater() throws {
        var core = GatewayCore()
        _ = core.handle(.subscribed, now: now)
        _ = core.handle(.snapshotFailed, now: now)
        #expect(core.endBatch(now: now).isEmpty)
        let deadline = try #require(core.nextDue)
        let effects = core.endBatch(now: deadline)
        guard case .askSnapshot(nil) = effects.first else { throw Unexpected(effects) }
        #expect(core.nextDue == nil)
    }

    @Test func duplicatesAreDroppedAndAGapIsAskedForAndHealed() throws {
        var core = joined([try Samples.event("blog", 10)])
        #expect(published(try live(&core, try Samples.event("blog", 10))).isEmpty)
        #expect(published(try live(&core, try Samples.event("blog", 13))).isEmpty)
        let effects = core.endBatch(now: now)
        guard case .askReplay(let ask) = effects.first else { throw Unexpected(effects) }
        #expect(ask.from == [try Samples.widget("blog"): 11])
        let records = try [11, 12, 13].map { try Samples.event("blog", $0) }
        let healed = core.handle(.replayed(ask, Records(records: records, more: false)), now: now)
        #expect(published(healed).map(\.range.sequence) == [11, 12, 13])
    }

    @Test func aRangeThatOverlapsIsCutToWhatIsNew() throws {
        var core = joined([try Samples.event("blog", 10)])
        let effects = published(try live(&core, try Samples.event("blog", 8, 12)))
        #expect(effects.map(\.range) == [SequenceRange(first: 11, sequence: 12)])
        let event = try WireJSON.decode(Event<Update>.self, from: try #require(effects.first?.json))
        #expect(event.range == SequenceRange(first: 11, sequence: 12))
    }

    @Test func aWidgetThatIsNewBeginsWithItsFirstUpdate() throws {
        var core = joined([])
        #expect(published(try live(&core, try Samples.event("news", 7))).map(\.range.sequence) == [7])
        #expect(core.endBatch(now: now).isEmpty)
    }

    @Test func aHeadThatNoUpdateReachedIsAskedFor() throws {
        var core = joined([try Samples.event("blog", 10)])
        _ = core.handle(.heads([try Samples.widget("blog"): 11, try Samples.widget("news"): 3]), now: now)
        let later = now.advanced(byMilliseconds: CatchUpLimits.defaultHeadPatienceMilliseconds)
        let effects = core.endBatch(now: later)
        guard case .askReplay(let ask) = effects.first else { throw Unexpected(effects) }
        #expect(ask.from == [try Samples.widget("blog"): 11, try Samples.widget("news"): 3])
    }

    @Test func anImplausibleNumberChangesNothing() throws {
        var core = joined([])
        #expect(published(try live(&core, try Samples.event("blog", .max))).isEmpty)
        #expect(published(try live(&core, try Samples.event("blog", 7))).map(\.range.sequence) == [7])
    }
}

/// The core wanted something else.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ effects: [GatewayEffect]) { description = "\(effects)" }
}

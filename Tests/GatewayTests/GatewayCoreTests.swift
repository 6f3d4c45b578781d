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

    private func shown(_ effects: [GatewayEffect]) -> [StreamedUpdate] {
        effects.flatMap { effect -> [StreamedUpdate] in
            switch effect {
            case .show(let update): [update]
            case .begin(_, let states): states
            default: []
            }
        }
    }

    private func notes(_ effects: [GatewayEffect]) -> [GatewayEffect.Note] {
        effects.compactMap { if case .note(let note) = $0 { note } else { nil } }
    }

    private func askedSince(_ effects: [GatewayEffect]) -> [StreamOffset] {
        effects.compactMap { if case .askUpdates(let since) = $0 { since } else { nil } }
    }

    private func live(_ core: inout GatewayCore, _ event: Event<Update>) throws -> [GatewayEffect] {
        core.handle(.update(event, json: try WireJSON.encode(event)), now: now)
    }

    private func page(_ events: [Event<Update>], more: Bool = false, end: UInt64) throws -> Records<Update> {
        Records(records: events, more: more, end: try Samples.offset(end))
    }

    // The optimizer of Swift 6.3.1 crashes if it inlines this property.
    @inline(never) private func position(of core: GatewayCore) -> StreamOffset? { core.position }

    /// Returns a ready core that follows the stream after a number.
    private func following(_ number: UInt64) throws -> GatewayCore {
        var core = GatewayCore(backlog: 0)
        _ = core.handle(.subscribed, now: now)
        _ = core.handle(.snapshot(try page([], end: number)), now: now)
        #expect(core.isReady)
        return core
    }

    @Test func aSnapshotIsReadPageByPageBeforeTheStreamIsFollowed() throws {
        var core = GatewayCore(backlog: 2)
        let first = core.handle(.subscribed, now: now)
        guard case .askSnapshot(nil) = first.first else { throw Unexpected(first) }
        #expect(try published(live(&core, try Samples.event("blog", 11, offset: 6))).isEmpty)
        let blog = try page([try Samples.event("blog", 10, offset: 5)], more: true, end: 5)
        let states = core.handle(.snapshot(blog), now: now)
        #expect(shown(states).isEmpty)
        guard case .askSnapshot(after: try Samples.widget("blog")) = states.last else { throw Unexpected(states) }
        let last = core.handle(.snapshot(try page([try Samples.event("news", 5, offset: 4)], end: 6)), now: now)
        guard case .begin(at: try Samples.offset(3), _) = last.last else { throw Unexpected(last) }
        #expect(shown(last).map(\.range.sequence) == [10, 5])
        #expect(!core.isReady)

        // The backlog, and what came while the pages were read.
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(3)])
        let events = [
            try Samples.event("news", 5, offset: 4), try Samples.event("blog", 10, offset: 5),
            try Samples.event("blog", 11, offset: 6),
        ]
        let caughtUp = core.handle(.replayed(try page(events, end: 6)), now: now)
        #expect(published(caughtUp).map(\.offset) == [4, 5, 6])
        guard case .becomeReady = caughtUp.last else { throw Unexpected(caughtUp) }
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
        var core = try following(10)
        #expect(try published(live(&core, try Samples.event("blog", 10, offset: 10))).isEmpty)
        #expect(try published(live(&core, try Samples.event("blog", 13, offset: 13))).isEmpty)
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(10)])
        let records = try [11, 12].map { try Samples.event("blog", $0, offset: $0) }
        let healed = core.handle(.replayed(try page(records, end: 12)), now: now)
        #expect(published(healed).map(\.range.sequence) == [11, 12, 13])
        #expect(position(of: core) == (try Samples.offset(13)))
    }

    @Test func aRecordForUpdatesThatAreNoLongerKeptIsNewDataIfOneOfThemWas() throws {
        var core = try following(10)
        _ = core.handle(.resubscribed, now: now)
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(10)])
        var hidden = try Samples.event("blog", 1, 12, offset: 14)
        hidden.data.previousNewData = 7
        var quiet = try Samples.event("news", 3, 9, offset: 15)
        quiet.data.previousNewData = 2
        let healed = published(core.handle(.replayed(try page([hidden, quiet], end: 15)), now: now))
        #expect(healed.map(\.event.data.result) == [.newData, .noData])
        #expect(healed.first?.event.data.changed.map(\.rawValue) == ["phone", "wall"])
        #expect(try WireJSON.decode(Event<Update>.self, from: try #require(healed.first?.json)).data.result == .newData)
    }

    @Test func anIDStaysBelowTheFirstSkippedOffsetUntilItsCyclesAreCovered() throws {
        var core = try following(154)
        _ = core.handle(.resubscribed, now: now)
        _ = core.endBatch(now: now)
        // The notifier no longer has 155 to 157 and 160: updates of blog and news.
        let first = [
            try Samples.event("page", 17, offset: 158), try Samples.event("page", 18, offset: 159),
            try Samples.event("blog", 1, 531, offset: 162),
        ]
        let healed = published(core.handle(.replayed(try page(first, more: true, end: 165)), now: now))
        #expect(healed.map(\.offset) == [158, 159, 162])
        #expect(healed.map(\.sentUpTo) == [154, 154, 154])
        #expect(healed.map(\.firstOffset) == [158, 159, 155])
        _ = core.endBatch(now: now)
        let second = [
            try Samples.event("page", 19, offset: 163), try Samples.event("news", 1, 26, offset: 164),
            try Samples.event("blog", 532, offset: 165),
        ]
        let rest = published(core.handle(.replayed(try page(second, end: 165)), now: now))
        #expect(rest.map(\.sentUpTo) == [154, 164, 165])
        #expect(rest.map(\.firstOffset) == [163, 155, 165])
        #expect(try published(live(&core, try Samples.event("blog", 533, offset: 166))).map(\.sentUpTo) == [166])
    }

    @Test func aWidgetThatIsNewBeginsWithItsFirstUpdate() throws {
        var core = try following(3)
        #expect(try published(live(&core, try Samples.event("news", 7, offset: 4))).map(\.range.sequence) == [7])
        #expect(core.endBatch(now: now).isEmpty)
    }

    @Test func anEndThatNoUpdateReachedIsAskedFor() throws {
        var core = try following(10)
        _ = core.handle(.end(try Samples.offset(10)), now: now)
        #expect(core.endBatch(now: now).isEmpty)
        _ = core.handle(.end(try Samples.offset(12)), now: now)
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(10)])
    }

    @Test func anImplausibleNumberIsDroppedAndItsUpdateIsRequested() throws {
        var core = try following(0)
        #expect(try published(live(&core, try Samples.event("blog", .max, offset: 1))).isEmpty)
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(0)])
        #expect(try published(live(&core, try Samples.event("blog", 7, offset: 1))).map(\.range.sequence) == [7])
    }

    @Test func anotherEpochIsFollowedFromASnapshotOfItsOwn() throws {
        var core = try following(10)
        let other = StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000bb")), number: 2)
        var event = try Samples.event("blog", 20)
        event.offset = other
        #expect(notes(try live(&core, event)).count == 1)
        // Only once, however many come.
        #expect(notes(try live(&core, event)).isEmpty)
        let effects = core.endBatch(now: try #require(core.nextDue))
        guard case .askSnapshot(nil) = effects.first else { throw Unexpected(effects) }
        let begun = core.handle(.snapshot(Records(records: [event], more: false, end: other)), now: now)
        #expect(shown(begun).map(\.range.sequence) == [20])
        guard case .begin(at: StreamOffset(epoch: other.epoch, number: 2), _) = begun.last else {
            throw Unexpected(begun)
        }
        #expect(position(of: core) == other)
    }

    @Test func aReplayOfAnotherEpochChangesNothingAndIsRequestedAgain() throws {
        var core = try following(10)
        _ = core.handle(.end(try Samples.offset(12)), now: now)
        #expect(askedSince(core.endBatch(now: now)) == [try Samples.offset(10)])
        let epoch = try #require(StreamEpoch(rawValue: "00000000000000bb"))
        var late = try Samples.event("blog", 9)
        late.offset = StreamOffset(epoch: epoch, number: 40)
        let page = Records(records: [late], more: false, end: StreamOffset(epoch: epoch, number: 50))
        #expect(core.handle(.replayed(page), now: now).isEmpty)
        #expect(position(of: core) == (try Samples.offset(10)))
        let due = try #require(core.nextDue)
        #expect(askedSince(core.endBatch(now: due)) == [try Samples.offset(10)])
    }

    @Test func aSnapshotFromBeforeARemovalDoesNotBringTheWidgetBack() throws {
        var core = try following(10)
        var removal = try Samples.event("blog", 11, offset: 11)
        removal.data.reason = .removed
        #expect(try published(live(&core, removal)).map(\.isRemoval) == [true])
        // Two notifiers answer in a split brain, so the snapshot is requested again, although the epoch stays.
        let other = StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000bb")), number: 2)
        _ = core.handle(.end(other), now: now)
        let states = try [Samples.event("blog", 10, offset: 9), Samples.event("news", 5, offset: 12)]
        let effects = core.handle(.snapshot(try page(states, end: 12)), now: now)
        #expect(shown(effects).map(\.range.sequence) == [5])
        #expect(position(of: core) == (try Samples.offset(11)))
    }

    @Test func aLateMessageOfAnEarlierEpochDoesNotEndTheStream() throws {
        var core = try following(10)
        var late = try Samples.event("blog", 9)
        late.offset = StreamOffset(epoch: try #require(StreamEpoch(rawValue: "00000000000000cc")), number: 99)
        _ = try live(&core, late)
        _ = core.endBatch(now: try #require(core.nextDue))
        let effects = core.handle(.snapshot(try page([], end: 10)), now: now)
        #expect(effects.isEmpty)
        #expect(try published(live(&core, try Samples.event("blog", 11, offset: 11))).count == 1)
    }

    @Test func aPositionThatTheNotifierDoesNotKnowLeadsToASnapshot() throws {
        var core = try following(10)
        _ = core.handle(.resubscribed, now: now)
        #expect(askedSince(core.endBatch(now: now)).count == 1)
        #expect(notes(core.handle(.replayFailed(isUnknown: true), now: now)).count == 1)
        let effects = core.endBatch(now: now.advanced(by: GatewayCore.snapshotRetryInterval))
        guard case .askSnapshot(nil) = effects.first else { throw Unexpected(effects) }
    }

    @Test func aFailedSnapshotIsAskedForAgainAlthoughTheClockWasSetBack() throws {
        var core = GatewayCore()
        _ = core.handle(.subscribed, now: now)
        _ = core.handle(.snapshotFailed, now: now)
        #expect(core.endBatch(now: now).isEmpty)
        let effects = core.endBatch(now: now.advanced(by: .seconds(-3600)))
        guard case .askSnapshot(nil) = effects.first else { throw Unexpected(effects) }
    }
}

/// The core wanted something else.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ effects: [GatewayEffect]) { description = "\(effects)" }
}

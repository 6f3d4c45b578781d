// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

@Suite struct LayoutCoreTests {
    var core = LayoutCore()
    private var sequence: SequenceNumber = 0
    let now = Sample.instant.advanced(byMilliseconds: 10)

    // MARK: Reading actions

    func laidOut(_ actions: [LayoutEffect]) throws -> [Event<LaidOut>] {
        try actions.compactMap { action in
            guard case .publish(let topic, let frame) = action, topic.text.hasPrefix("laidout/") else { return nil }
            return try WireJSON.decode(Event<LaidOut>.self, from: frame)
        }
    }

    func publications(_ actions: [LayoutEffect]) -> [LayoutPublication] {
        actions.compactMap { action in
            guard case .publishLayout(let publication) = action else { return nil }
            return publication
        }
    }

    func layouts(_ actions: [LayoutEffect]) throws -> [Event<LayoutChanged>] {
        try publications(actions).map { try WireJSON.decode(Event<LayoutChanged>.self, from: try $0.frame().json) }
    }

    func asks(_ actions: [LayoutEffect]) -> [(CacheRequestID, LayoutEffect.CacheRequest, Duration)] {
        actions.compactMap { action in
            guard case .ask(let id, let question, let deadline) = action else { return nil }
            return (id, question, deadline)
        }
    }

    func refusals(_ actions: [LayoutEffect]) -> [RequestError.Code] {
        actions.compactMap { action in
            guard case .refuse(_, let error) = action else { return nil }
            return error.code
        }
    }

    func reply<Result: Codable & Hashable & Sendable>(
        _ actions: [LayoutEffect],
        _ type: Result.Type
    ) throws -> Result {
        let frames = actions.compactMap { action -> Data? in
            guard case .reply(_, let frame) = action else { return nil }
            return frame
        }
        return try WireJSON.decode(Answer<Result>.self, from: try #require(frames.first)).get()
    }

    /// Passes a cycle with its content in a frame to the core.
    mutating func show(
        _ content: Content,
        _ sequence: SequenceNumber,
        _ change: (inout Refreshed) -> Void = { _ in }
    ) throws -> [LayoutEffect] {
        let (reference, frame) = try Sample.frame(content)
        var event = try Sample.cycle(sequence, content: reference, contentSequence: sequence)
        change(&event.data)
        return core.handle(.refreshed(event, content: frame), now: now)
    }

    /// Shows a content as a cycle of its own, and returns what is laid out.
    mutating func shown(_ content: Content, _ change: (inout Refreshed) -> Void = { _ in }) throws -> LaidOut {
        sequence = sequence.next
        let effects = try show(content, sequence, change)
        return try #require(try laidOut(effects).first).data
    }

    // MARK: Cycles

    @Test mutating func aCycleIsLaidOutAtOnceForEachDisplay() throws {
        let actions = try show(Sample.feed(10), 7)
        let event = try #require(try laidOut(actions).first)
        #expect(event.id == "laidout/blog/00000000000000000007")
        #expect(
            event.data.displays.mapValues(\.height) == [
                try Sample.name("phone-classic"): 236,
                try Sample.name("phone-compact"): 110,
                try Sample.name("phone-expanded"): 384,
            ]
        )
        #expect(event.data.summary == "Post 0")
        #expect(event.data.hasContent)
        #expect(!event.data.contentIsMissing)
        #expect(event.data.contentDate == Sample.instant)
        #expect(event.data.times.laidOut == now)
        #expect(event.data.times.answered == Sample.instant)
        let layouts = try layouts(actions)
        #expect(Set(layouts.map(\.data.display)) == Set(event.data.displays.keys))
        for layout in layouts {
            #expect(layout.range == event.range)
            #expect(event.data.displays[layout.data.display]?.digest == layout.data.digest)
            #expect(LayoutDigest.of(try #require(layout.data.layout)) == layout.data.digest)
        }
    }

    @Test mutating func cyclesOfABatchAreDrawnTogetherAndEachVariantOnce() throws {
        let (reference, frame) = try Sample.frame(Sample.feed(10))
        let inputs = try (1...3 as ClosedRange<UInt64>).map { number in
            let sequence = SequenceNumber(number)
            let event = try Sample.cycle(sequence, content: reference, contentSequence: sequence)
            return LayoutInput.refreshed(event, content: frame)
        }
        let (effects, rounds) = core.handle(inputs, now: now)
        #expect(rounds == [3], "three displays, once")
        #expect(try laidOut(effects).map(\.range?.sequence) == [1, 2, 3])
        #expect(try layouts(effects).count == 3, "the second and the third look as the first")
    }

    @Test mutating func aCycleDoesNotOvertakeOneOfItsWidgetThatIsStillDrawn() throws {
        let (first, second) = (try Sample.frame(Sample.feed(10)), try Sample.frame(Sample.feed(3)))
        _ = try show(Sample.feed(10), 1)
        let new = try Sample.cycle(2, content: second.0, contentSequence: 2)
        let known = try Sample.cycle(3, content: first.0, contentSequence: 3)
        let inputs: [LayoutInput] = [.refreshed(new, content: second.1), .refreshed(known, content: first.1)]
        let (effects, _) = core.handle(inputs, now: now)
        #expect(try laidOut(effects).map(\.range?.sequence) == [2, 3])
        let numbers = try layouts(effects).compactMap(\.range?.sequence)
        #expect(Set(numbers) == [2, 3] && numbers == numbers.sorted())
    }

    @Test mutating func aRangeIsPassedOnAsItIs() throws {
        let event = try Sample.cycle(9, first: 3)
        let laidOut = try #require(try laidOut(core.handle(.refreshed(event, content: nil), now: now)).first)
        #expect(laidOut.range == SequenceRange(first: 3, sequence: 9))
    }

    @Test mutating func aChangeBelowTheFoldChangesNoDigestAndOneAboveDoes() throws {
        let first = try #require(try laidOut(try show(Sample.feed(10), 1)).first)
        var items = Sample.items(10)
        items[9].title = "Changed below the fold"
        let below = try show(.feed(FeedContent(title: "Renamed", items: items)), 2)
        #expect(try laidOut(below).first?.data.displays == first.data.displays)
        #expect(try layouts(below).isEmpty)

        items[4].title = "Changed in expanded mode alone"
        let changed = try show(Sample.posts(items), 3)
        #expect(try layouts(changed).map(\.data.display.rawValue) == ["phone-expanded"])

        items[0].published = Sample.instant.advanced(byMilliseconds: -86_400_000 * 40)
        #expect(try layouts(try show(Sample.posts(items), 4)).count == 3)
    }

    @Test mutating func anotherLinkIsAnotherDigest() throws {
        _ = try show(Sample.feed(3), 1)
        var items = Sample.items(3)
        items[0].link = "https://example.org/moved"
        #expect(try layouts(try show(Sample.posts(items), 2)).count == 3)
    }

    @Test mutating func expandingChangesTheClassicDisplayAlone() throws {
        let first = try #require(try laidOut(try show(Sample.feed(10), 1)).first)
        let actions = try show(Sample.feed(10), 2) { $0.interaction.expanded = true }
        let second = try #require(try laidOut(actions).first)
        let classic = try Sample.name("phone-classic")
        for (name, state) in second.data.displays {
            #expect((state.digest != first.data.displays[name]?.digest) == (name == classic))
        }
        let changes = try #require(second.data.displays[classic]?.rowChanges)
        #expect(changes.from == first.data.displays[classic]?.digest)
        #expect(changes.inserted == [3, 4, 5])
        #expect(changes.deleted.isEmpty)
        #expect(try layouts(actions).map(\.data.rowChanges) == [changes])
    }

    @Test mutating func withoutContentAPlaceholderIsShown() throws {
        func event(_ sequence: SequenceNumber, _ outcome: Outcome) throws -> Event<Refreshed> {
            try Sample.cycle(sequence, outcome: outcome)
        }
        let loading = core.handle(.refreshed(try event(1, .fresh), content: nil), now: now)
        #expect(try laidOut(loading).first?.data.summary == "Loading…")
        #expect(try laidOut(loading).first?.data.contentIsMissing == true)
        #expect(try laidOut(loading).first?.data.hasContent == true)
        let failed = core.handle(.refreshed(try event(2, .failed), content: nil), now: now)
        #expect(try laidOut(failed).first?.data.summary == "An error occurred while retrieving data")
        #expect(try layouts(failed).count == 3)
    }

    @Test mutating func hidingAndShowingAgainChangesEveryDisplay() throws {
        var digests: [[ContentDigest]] = []
        for hasContent in [nil, false, true] {
            let data = try shown(Sample.feed(2)) { $0.hasContent = hasContent }
            #expect(data.hasContent == (hasContent ?? true))
            digests.append(data.displays.sorted { $0.key < $1.key }.map(\.value.digest))
        }
        #expect(zip(digests[0], digests[1]).allSatisfy { $0 != $1 })
        #expect(digests[0] == digests[2])
    }

    @Test mutating func aContentHidesTheWidgetUntilAPushSaysOtherwise() throws {
        var content = Sample.feed(2)
        content.hasContent = false
        #expect(try !shown(content).hasContent)
        #expect(try shown(content) { $0.hasContent = true }.hasContent)
    }

    @Test mutating func anEmptyContentHidesTheWidgetOnlyIfTheConfigurationSaysSo() throws {
        #expect(try shown(Sample.feed(0)).hasContent)
        #expect(try !shown(Sample.feed(0)) { $0.definition.hideWhenEmpty = true }.hasContent)
    }

    @Test mutating func displaysThatSaySomethingElseHaveASummaryOfTheirOwn() throws {
        let data = try shown(Sample.feed(0)) { $0.displays[$0.displays.count - 1].locale = "fr_FR" }
        let (first, last) = (try Sample.name("phone-classic"), try Sample.name("phone-expanded"))
        #expect(data.summary == "No posts")
        #expect(data.displays[last]?.summary == "Aucun article")
        #expect(data.otherLocales == [last])
        #expect(data.displays[first]?.summary == nil)
    }

    @Test mutating func anEmptyFeedIsContentWithNothingToShow() throws {
        let data = try shown(Sample.feed(0))
        #expect(data.hasContent)
        #expect(!data.contentIsMissing)
        #expect(data.summary == "No posts")
    }

    @Test mutating func aRemovedWidgetHasNoDisplaysAndNeedsNoContent() throws {
        let (reference, _) = try Sample.frame(Sample.feed(2))
        let event = try Sample.cycle(5, cause: .removed, content: reference, contentSequence: 4, displays: [])
        let actions = core.handle(.refreshed(event, content: nil), now: now)
        #expect(try laidOut(actions).first?.data.displays == [:])
        #expect(actions.count == 1)
    }

    @Test mutating func aContentThatCannotBeReadIsAnErrorForThePersonAndNoGap() throws {
        let frame = Data(#"{"kind":"feed"}"#.utf8)
        let digest = try #require(ContentDigest(rawValue: Sample.hexDigest(frame)))
        let reference = ContentReference(parsing: "feed", digest: digest)
        let event = try Sample.cycle(1, content: reference, contentSequence: 1)
        let actions = core.handle(.refreshed(event, content: frame), now: now)
        #expect(try laidOut(actions).first?.data.summary == "An error occurred while retrieving data")
        #expect(try laidOut(actions).first?.data.contentIsMissing == true)
    }

    @Test mutating func aLateCycleIsLaidOutAndDrawsNothing() throws {
        _ = try show(Sample.feed(3), 5)
        let actions = try show(Sample.feed(1), 4)
        #expect(try laidOut(actions).count == 1)
        #expect(try layouts(actions).isEmpty)
        #expect(try layouts(try show(Sample.feed(3), 6)).isEmpty)
    }

    @Test mutating func aLayoutTooLargeForAClientsFrameIsPublishedWithoutItsTree() throws {
        let items = (0..<50).map { index in
            FeedItem(
                id: "\(index)",
                title: String(repeating: "日", count: 900),
                link: "https://example.org/" + String(repeating: "a", count: 2000)
            )
        }
        let large = try Sample.today(.expanded) { ($0.width, $0.maximumHeight) = (16_000, 10_000) }
        let actions = try show(Sample.posts(items), 1) { cycle in
            cycle.displays = [large]
            cycle.definition.rows.expanded = 50
        }
        let published = publications(actions)
        let short = try #require(published.first).frame()
        #expect(short.omitsLayout)
        #expect(try WireJSON.decode(Event<LayoutChanged>.self, from: short.json).data.layout == nil)
    }

    @Test mutating func anEventOfNoWidgetOrCycleIsReported() throws {
        var event = try Sample.cycle(1)
        event.range = nil
        let report = LayoutEffect.report(.notOfAStream(id: event.id))
        #expect(core.handle(.refreshed(event, content: nil), now: now) == [report])
    }

    // MARK: Contents that are not here

    /// Returns a cycle that shows an earlier content.
    func cycleWithoutFrame(_ sequence: SequenceNumber, of content: Content) throws -> Event<Refreshed> {
        let (reference, _) = try Sample.frame(content)
        return try Sample.cycle(sequence, outcome: .notModified, content: reference, contentSequence: 1)
    }

    @Test mutating func aMissingContentIsAskedForAsItWasInThatCycle() throws {
        let event = try cycleWithoutFrame(8, of: Sample.feed(4))
        let actions = core.handle(.refreshed(event, content: nil), now: now)
        #expect(try laidOut(actions).isEmpty)
        let (id, question, _) = try #require(asks(actions).first)
        #expect(question == .replay(ReplayRequest(from: [try Sample.widget(): 8])))

        let (reference, frame) = try Sample.frame(Sample.feed(4))
        let records = Records(records: [event], contents: [reference], more: false)
        let answer = core.handle(.answered(id, records, contents: [frame]), now: now)
        #expect(try laidOut(answer).map(\.range) == [event.range])
        #expect(try laidOut(answer).first?.data.summary == "Post 0")

        let next = try cycleWithoutFrame(9, of: Sample.feed(4))
        let known = core.handle(.refreshed(next, content: nil), now: now)
        #expect(try laidOut(known).count == 1)
        #expect(asks(known).isEmpty)
    }

    @Test mutating func cyclesThatComeWhileTheContentIsAskedForFollowTheAnswer() throws {
        let event = try cycleWithoutFrame(8, of: Sample.feed(4))
        let first = core.handle(.refreshed(event, content: nil), now: now)
        let (id, _, _) = try #require(asks(first).first)
        let second = core.handle(.refreshed(try cycleWithoutFrame(9, of: Sample.feed(4)), content: nil), now: now)
        #expect(second.isEmpty)
        let (reference, frame) = try Sample.frame(Sample.feed(4))
        let records = Records(records: [event], contents: [reference], more: false)
        let answer = core.handle(.answered(id, records, contents: [frame]), now: now)
        #expect(try laidOut(answer).map(\.range) == [SequenceRange(8), SequenceRange(9)])
    }

    @Test mutating func aWidgetsContentIsAskedForAtMostOnceIn300Milliseconds() throws {
        let feed = Sample.feed(4)
        let first = core.handle(.refreshed(try cycleWithoutFrame(8, of: feed), content: nil), now: now)
        let (id, _, _) = try #require(asks(first).first)
        let failure = RequestError(.unavailable, "nobody there")
        let dropped = core.handle(.askFailed(id, failure), now: now)
        #expect(dropped == [.report(.cyclesDropped(try Sample.widget(), count: 1, failure))])

        let soon = now.advanced(by: LayoutCore.askInterval - .milliseconds(1))
        #expect(asks(core.handle(.refreshed(try cycleWithoutFrame(9, of: feed), content: nil), now: soon)).isEmpty)
        let later = now.advanced(by: LayoutCore.askInterval)
        let again = asks(core.handle(.refreshed(try cycleWithoutFrame(10, of: feed), content: nil), now: later))
        #expect(again.map(\.1) == [.replay(ReplayRequest(from: [try Sample.widget(): 9]))])
    }

    @Test mutating func aWidgetsContentIsAskedForAfterTheClockWasSetBack() throws {
        let feed = Sample.feed(4)
        let first = core.handle(.refreshed(try cycleWithoutFrame(8, of: feed), content: nil), now: now)
        let (id, _, _) = try #require(asks(first).first)
        _ = core.handle(.askFailed(id, RequestError(.unavailable, "nobody there")), now: now)
        let before = now.advanced(by: .seconds(-3600))
        let again = asks(core.handle(.refreshed(try cycleWithoutFrame(9, of: feed), content: nil), now: before))
        #expect(again.map(\.1) == [.replay(ReplayRequest(from: [try Sample.widget(): 9]))])
    }

    @Test mutating func aFrameThatIsNotTheContentItIsNamedIsRefusedAndAskedFor() throws {
        let (reference, _) = try Sample.frame(Sample.feed(2))
        let event = try Sample.cycle(1, content: reference, contentSequence: 1)
        let actions = core.handle(.refreshed(event, content: Data("{}".utf8)), now: now)
        #expect(actions.first == .report(.contentRefused(try Sample.widget(), 1, reference.digest)))
        #expect(asks(actions).count == 1)
        #expect(try laidOut(actions).isEmpty)
    }

    @Test mutating func forgedCyclesAboveTheClockAreDroppedAndLeadToNoHigherOnes() throws {
        let (widget, latest) = (try Sample.widget(), PlausibleSequence.latest(at: now))
        _ = try show(Sample.feed(2), 1)
        for sequence in [SequenceNumber(.max), latest.next] {
            #expect(try show(Sample.feed(3), sequence) == [.report(.implausible(widget, sequence))])
        }
        #expect(core.counts.cyclesImplausible == 2)
        #expect(try !layouts(show(Sample.feed(4), 2)).isEmpty)
        #expect(try !layouts(show(Sample.feed(5), latest)).isEmpty)
        #expect(try show(Sample.feed(6), latest.next) == [.report(.implausible(widget, latest.next))])
    }

    @Test mutating func contentsOfASourceAreSharedByItsWidgets() throws {
        _ = try show(Sample.feed(3), 1)
        let (reference, _) = try Sample.frame(Sample.feed(3))
        let event = try Sample.cycle(77, of: "other", content: reference, contentSequence: 70)
        #expect(try laidOut(core.handle(.refreshed(event, content: nil), now: now)).count == 1)
    }
}

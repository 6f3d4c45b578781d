// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import Testing
import WidgetSchema

@testable import Notifier

/// Two versions of the layout service side by side.
@Suite struct LayoutEnginesTests {
    private var core: NotifierCore

    init() throws { core = try NotifierCore(nonce: "n") }

    private func health(_ version: Int64?, _ state: Health.State = .ready) -> Health {
        let gauges = version.map { [LayoutEngineVersion.healthGauge: $0] } ?? [:]
        return Health(state: state, version: "test", startedAt: at(-1000), gauges: gauges)
    }

    private func instance(_ name: String) throws -> InstanceName { try #require(InstanceName(rawValue: name)) }

    private mutating func hear(_ name: String, _ health: Health, now: Instant = at(0)) throws {
        #expect(core.handle(.layoutHealth(health, of: try instance(name)), now: now) == NotifierStep())
    }

    private mutating func updates(_ sequence: UInt64, _ text: String, engine: Int, now: Instant = at(0)) throws -> Int {
        let widget = try widget("blog")
        let laidOut = try LaidOut.showing(["phone": text], engine: engine)
        return try core.updates(laidOut, sequence, of: widget, now: now).count
    }

    @Test mutating func whileANewerVersionIsAliveTheOldersCyclesDoNotCount() throws {
        #expect(try updates(1, "a", engine: 1) == 1)
        try hear("old", health(1))
        try hear("new", health(2))
        #expect(try updates(2, "b", engine: 1) == 0)
        #expect(try updates(2, "b", engine: 2) == 1)
        #expect(try updates(2, "b", engine: 1) == 0)
    }

    @Test mutating func afterARollbackTheOlderVersionCountsAgain() throws {
        try hear("new", health(2))
        #expect(try updates(1, "a", engine: 1) == 0)
        try hear("new", health(2, .stopping))
        #expect(try updates(1, "a", engine: 1) == 1)
        try hear("new", health(2))
        try hear("new", health(nil, .gone))
        #expect(try updates(2, "b", engine: 1) == 1)
    }

    @Test mutating func anInstanceThatIsSilentForTooLongIsGone() throws {
        try hear("new", health(2))
        let later = LayoutInstances.timeout.wholeMilliseconds
        #expect(try updates(1, "a", engine: 1, now: at(later)) == 0)
        #expect(try updates(1, "a", engine: 1, now: at(later + 1)) == 1)
    }

    @Test mutating func aClockThatIsSetBackForgetsNobody() throws {
        try hear("new", health(2))
        #expect(try updates(1, "a", engine: 1, now: at(-100_000)) == 0)
    }

    @Test mutating func anInstanceThatDiesWhenTheClockIsSetBackIsGoneAfterTheTimeout() throws {
        try hear("new", health(2))
        try hear("old", health(1), now: at(-100_000))
        #expect(try updates(1, "a", engine: 1, now: at(-100_000)) == 0)
        let later = at(-100_000).advanced(by: LayoutInstances.timeout + .milliseconds(1))
        try hear("old", health(1), now: later)
        #expect(try updates(1, "a", engine: 1, now: later) == 1)
    }

    @Test mutating func theCoreAfterAFailedCommitStillKnowsTheNewerVersion() throws {
        var setup = NotifierSetup(nonce: "n")
        setup.layoutInstances.heard(health(2), of: try instance("new"), at: at(0))
        core = NotifierCore(NotifierState(end: try offset(0)), setup: setup, load: 2)
        #expect(try updates(1, "a", engine: 1) == 0)
        #expect(try updates(1, "a", engine: 2) == 1)
    }

    @Test func theNewestInstanceIsAskedWhereVersionsDiffer() throws {
        var engines = LayoutInstances()
        #expect(engines.current(at: at(0)) == nil)
        engines.heard(health(1), of: try instance("b"), at: at(0))
        engines.heard(health(1), of: try instance("a"), at: at(0))
        #expect(engines.instanceToAsk(at: at(0)) == nil)
        engines.heard(health(3), of: try instance("c"), at: at(0))
        #expect(engines.current(at: at(0)) == LayoutInstances.Engine(version: 3))
        #expect(engines.instanceToAsk(at: at(0)) == (try instance("c")))
    }

    @Test mutating func aReplayOfAnOlderVersionIsAskedForAgain() throws {
        let widget = try widget("blog")
        _ = core.start(now: at(0))
        _ = core.handle(.cacheHeads([widget: SequenceNumber(5)]), now: at(0))
        let asks = core.endBatch(now: at(5000)).compactMap { action in
            if case .ask(let ask, of: _) = action { ask } else { nil }
        }
        let ask = try #require(asks.first)
        try hear("new", health(2), now: at(5000))
        let old = try LaidOut.showing(["phone": "a"], engine: 1).event(range(1, 5), of: widget)
        let step = core.handle(.replayed(ask: ask.id, Records(records: [old], more: false)), now: at(5100))
        #expect(step.effects == [.note(.olderEngine(widget, version: 1))])
        let again = core.endBatch(now: at(60_000)).contains { action in
            if case .ask = action { true } else { false }
        }
        #expect(again)
    }
}

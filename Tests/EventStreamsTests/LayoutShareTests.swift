// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

/// Several layout instances share the widgets by the heartbeats that each of them has heard.
@Suite struct LayoutShareTests {
    private static let widgets = (0..<4000).map { "widget-\($0)" }
    private static let start = Instant(milliseconds: 1_763_683_200_000)

    private func name(_ text: String) throws -> InstanceName { try #require(InstanceName(rawValue: text)) }

    private func health(_ engine: LayoutInstances.Engine, _ state: Health.State = .ready) -> Health {
        let gauges = [
            LayoutEngineVersion.healthGauge: Int64(engine.version),
            LayoutEngineVersion.fontsHealthGauge: engine.fonts,
        ]
        return Health(state: state, version: "test", startedAt: Self.start, gauges: gauges)
    }

    /// Returns the shares of instances that have all heard of each other.
    private func shares(_ engines: [String: LayoutInstances.Engine]) throws -> [String: LayoutShare] {
        var shares: [String: LayoutShare] = [:]
        for (instance, engine) in engines {
            var share = LayoutShare(instance: try name(instance), engine: engine)
            for (other, engine) in engines { share.heard(health(engine), of: try name(other), at: Self.start) }
            shares[instance] = share
        }
        return shares
    }

    /// Returns the owners of each widget.
    private func owners(_ shares: [String: LayoutShare], at now: Instant = start) -> [[String]] {
        var shares = shares
        return Self.widgets.map { widget in
            shares.keys.sorted().filter { shares[$0]?.owns(widget.utf8, at: now) ?? false }
        }
    }

    private static let engine = LayoutInstances.Engine(version: 7, fonts: 11)

    @Test(arguments: 1...5)
    func eachWidgetHasExactlyOneOwnerAndTheSharesAreAboutEqual(_ count: Int) throws {
        let engines = Dictionary(uniqueKeysWithValues: (1...count).map { ("layout-\($0)", Self.engine) })
        let owners = owners(try shares(engines))
        #expect(owners.allSatisfy { $0.count == 1 })
        for instance in engines.keys {
            let share = owners.count { $0 == [instance] } * count
            #expect((Self.widgets.count * 4 / 5...Self.widgets.count * 6 / 5).contains(share), "\(instance): \(share)")
        }
    }

    @Test func onlyTheWidgetsOfTheInstanceThatGoesMove() throws {
        var engines = ["a": Self.engine, "b": Self.engine, "c": Self.engine]
        let before = owners(try shares(engines))
        engines["c"] = nil
        let after = owners(try shares(engines))
        for (before, after) in zip(before, after) where before != ["c"] { #expect(before == after) }
        #expect(after.allSatisfy { $0.count == 1 })
    }

    @Test func anInstanceAloneOwnsAllBeforeItHasHeardOfAnyOther() throws {
        let share = LayoutShare(instance: try name("a"), engine: Self.engine)
        #expect(share.members == 1)
        #expect(owners(["a": share]).allSatisfy { $0 == ["a"] })
    }

    @Test func anOlderEngineHasNoShareUntilTheNewerOneIsGone() throws {
        var share = LayoutShare(instance: try name("old"), engine: Self.engine)
        let newer = LayoutInstances.Engine(version: 8, fonts: 3)
        share.heard(health(newer), of: try name("new"), at: Self.start)
        #expect(!share.isMember)
        #expect(share.members == 0)
        #expect(owners(["old": share]).allSatisfy { $0.isEmpty })
        share.heard(health(newer, .gone), of: try name("new"), at: Self.start)
        #expect(owners(["old": share]).allSatisfy { $0 == ["old"] })
    }

    @Test func anInstanceThatIsNotReadyYetHasNoShare() throws {
        var share = LayoutShare(instance: try name("old"), engine: Self.engine)
        let newer = LayoutInstances.Engine(version: 8, fonts: 3)
        share.heard(health(newer, .starting), of: try name("new"), at: Self.start)
        #expect(share.members == 1)
    }

    @Test func ofTwoHostsWithDifferentFontsOneDrawsAll() throws {
        let fonts = [11, 12].map { LayoutInstances.Engine(version: 7, fonts: $0) }
        let owners = owners(try shares(["a": fonts[0], "b": fonts[1], "c": fonts[1]]))
        #expect(owners.allSatisfy { $0.count == 1 && $0 != ["a"] })
    }

    @Test func anInstanceThatIsSilentForTooLongLosesItsShare() throws {
        let shares = try shares(["a": Self.engine, "b": Self.engine])
        var share = try #require(shares["a"])
        let last = Self.start.advanced(by: LayoutInstances.timeout)
        #expect(owners(["a": share], at: last).contains([]))
        #expect(owners(["a": share], at: last.advanced(byMilliseconds: 1)).allSatisfy { $0 == ["a"] })
        _ = share.owns("blog".utf8, at: last.advanced(byMilliseconds: 1))
        #expect(share.members == 1)
    }

    @Test func anInstanceThatDiesWhenTheClockIsSetBackLosesItsShareToo() throws {
        let shares = try shares(["a": Self.engine, "b": Self.engine])
        var share = try #require(shares["a"])
        let back = Self.start.advanced(byMilliseconds: -3_600_000)
        _ = share.owns("blog".utf8, at: back)
        #expect(share.members == 2)
        _ = share.owns("blog".utf8, at: back.advanced(by: LayoutInstances.timeout + .milliseconds(1)))
        #expect(share.members == 1)
    }

    @Test func theOwnHeartbeatDoesNotCount() throws {
        var share = LayoutShare(instance: try name("a"), engine: Self.engine)
        share.heard(health(LayoutInstances.Engine(version: 9)), of: try name("a"), at: Self.start)
        #expect(share.members == 1)
    }

    // The expected owners are fixed values, because instances of different releases must agree.
    @Test func theOwnersAreTheSameInEveryRelease() throws {
        let shares = try shares(["layout-1": Self.engine, "layout-2": Self.engine, "layout-3": Self.engine])
        let owners = owners(shares).prefix(12).map { $0.first?.suffix(1) ?? "" }.joined()
        #expect(owners == Self.firstOwners)
    }

    private static let firstOwners = "232223322322"
}

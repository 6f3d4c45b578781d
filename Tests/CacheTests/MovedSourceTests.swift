// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Sources whose address changes, and those whose address only seems to: every one ends where its owner wants it.
@Suite struct MovedSourceTests {
    private static let new = "https://new.example/feed"
    private static let day = Duration.seconds(24 * 3_600)
    private let source = PlayedSource()
    private var web: PlayedWeb { source.web }

    // MARK: Pages in place of a feed

    @Test(arguments: [PlayedWeb.Network.redirecting, .replacing], [false, true])
    func aLoginPageNeverReplacesAFeed(network: PlayedWeb.Network, restarts: Bool) {
        web.answers[PlayedSource.configured] = .feed("own")
        source.run(.seconds(300))
        web.network = network
        source.run(.seconds(2 * 24 * 3_600)) {
            if restarts { source.cache.restart() }
            #expect(source.shown == ["own"])
        }
        #expect(source.failure?.class == .malformed)
        #expect(source.failure?.message.contains("answered with a web page in place of a feed") == true)
        web.network = .open
        web.answers[PlayedSource.configured] = .feed("own, later")
        source.run(.seconds(5 * 3_600))
        #expect(source.shown == ["own, later"])
        #expect(Set(source.leased) == [PlayedSource.configured])
    }

    @Test func aPageThatAnnouncesAnotherFeedDoesNotReplaceAFeed() {
        web.answers = [PlayedSource.configured: .feed("own"), "http://blog.example/comments": .feed("comments")]
        source.run(.seconds(300))
        web.answers[PlayedSource.configured] = .page(["/comments"])
        source.run(Self.day)
        #expect(source.shown == ["own"])
        #expect(source.failure?.message.contains("configure http://blog.example/comments") == true)
    }

    @Test func aLoginPageBeforeTheFirstContentAnnouncesNothing() {
        web.answers[PlayedSource.configured] = .feed("own")
        web.network = .redirecting
        source.run(.seconds(3_600))
        #expect(source.shown.isEmpty)
        #expect(source.failure?.class == .malformed)
        #expect(source.failure?.message.contains("after a redirect to portal.example") == true)
        web.network = .open
        source.run(.seconds(5 * 3_600))
        #expect(source.shown == ["own"])
    }

    @Test(arguments: [302, 303, 307])
    func aLoginOfTheSiteOnAnotherHostAnnouncesNothing(status: Int) {
        web.answers = [
            PlayedSource.configured: .redirect(status, "https://login.example/"),
            "https://login.example/": .page(["https://login.example/status.xml"]),
            "https://login.example/status.xml": .feed("foreign"),
        ]
        source.run(Self.day) { #expect(source.shown.isEmpty) }
        #expect(source.failure?.message.contains("configure https://login.example/status.xml") == true)
    }

    @Test func theHostThatARedirectLedToIsForgottenWhenNothingAsksIt() {
        web.answers = [
            PlayedSource.configured: .redirect(301, "http://new.example/feed"),
            "http://new.example/feed": .feed("moved"),
        ]
        source.run(.seconds(3_600))
        web.answers["http://new.example/feed"] = .status(429)
        source.run(.seconds(3_600))
        #expect(source.cache.stored.hosts.keys.contains("new.example"))
        web.answers[PlayedSource.configured] = .feed("own")
        source.run(Self.day + .seconds(7_200))
        #expect(source.shown == ["own"])
        #expect(!source.cache.stored.hosts.keys.contains("new.example"))
    }

    // MARK: Pages that announce their feed

    @Test func thePageOfABlogLeadsToItsFeed() {
        web.answers = [
            PlayedSource.configured: .redirect(302, "http://blog.example/home"),
            "http://blog.example/home": .page(["/rss.xml"]), "http://blog.example/rss.xml": .feed("own"),
        ]
        source.run(.seconds(300))
        #expect(source.shown == ["own"])
        #expect(source.record?.location == "http://blog.example/rss.xml")
        // Another announcement does not count while the feed is there.
        web.answers["http://blog.example/home"] = .page(["/other.xml"])
        web.answers["http://blog.example/other.xml"] = .feed("other")
        source.run(.seconds(3 * 24 * 3_600)) { #expect(source.shown == ["own"]) }
    }

    @Test(arguments: [404, 410])
    func anAnnouncedFeedThatIsGoneIsLookedForOnItsPage(status: Int) {
        web.answers = [PlayedSource.configured: .page(["/rss.xml"]), "http://blog.example/rss.xml": .feed("own")]
        source.run(.seconds(300))
        web.answers["http://blog.example/rss.xml"] = .status(status)
        web.answers["http://blog.example/atom.xml"] = .feed("own, elsewhere")
        web.answers[PlayedSource.configured] = .page(["/atom.xml"])
        source.run(Self.day)
        #expect(source.shown == ["own, elsewhere"])
        // A page in place of the feed says nothing about the feed.
        web.network = .replacing
        source.run(Self.day) { #expect(source.shown == ["own, elsewhere"]) }
    }

    @Test(arguments: [false, true])
    func aPageThatAPortalReplacedBeforeTheFirstContentComesBackWithinADay(restarts: Bool) {
        web.answers = [PlayedSource.configured: .page(["/rss.xml"]), "http://blog.example/rss.xml": .feed("own")]
        web.network = .replacing
        source.run(.seconds(300))
        #expect(source.record?.location == PlayedWeb.portalFeed)
        web.network = .open
        source.run(.seconds(25 * 3_600)) { if restarts { source.cache.restart() } }
        #expect(source.shown == ["own"])
        #expect(source.record?.location == "http://blog.example/rss.xml")
    }

    @Test func aFeedOnAnotherHostIsLeftForOneThatThePageAnnouncesOnItsOwn() {
        web.answers = [
            PlayedSource.configured: .page(["https://feeds.example/blog"]), "https://feeds.example/blog": .feed("own"),
        ]
        source.run(.seconds(300))
        // A login page announces feeds of its own host.
        web.network = .replacing
        source.run(Self.day) { #expect(source.shown == ["own"]) }
        web.network = .open
        // What the page announces must be there.
        web.answers[PlayedSource.configured] = .page(["/rss.xml"])
        let before = source.leased.count
        source.run(.seconds(2 * 24 * 3_600)) { #expect(source.shown == ["own"]) }
        #expect(source.record?.location == "https://feeds.example/blog")
        #expect(source.leased.dropFirst(before).filter { $0 == PlayedSource.configured }.count <= 6)
        web.answers["http://blog.example/rss.xml"] = .feed("own, at home")
        source.run(.seconds(25 * 3_600))
        #expect(source.shown == ["own, at home"])
    }

    @Test func aPageThatBecomesAFeedIsOneFromThenOn() {
        web.answers = [PlayedSource.configured: .page(["/rss.xml"]), "http://blog.example/rss.xml": .feed("own")]
        source.run(.seconds(300))
        web.answers[PlayedSource.configured] = .feed("itself")
        source.run(.seconds(25 * 3_600))
        #expect(source.shown == ["itself"])
        web.answers[PlayedSource.configured] = .page(["/rss.xml"])
        source.run(.seconds(2 * 24 * 3_600)) { #expect(source.shown == ["itself"]) }
    }

    // MARK: Moves

    @Test func aMoveIsConfirmedOnceADayWithinOneAttempt() {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(3 * 24 * 3_600))
        #expect(source.leased.filter { $0 == PlayedSource.configured }.count == 4)
        #expect(source.shown == ["own"])
        // The next target is followed at the next confirmation, too.
        web.answers[PlayedSource.configured] = .redirect(308, "https://newer.example/feed")
        web.answers["https://newer.example/feed"] = .feed("newer")
        source.run(.seconds(25 * 3_600))
        #expect(source.record?.location == "https://newer.example/feed")
        #expect(source.shown == ["newer"])
    }

    @Test func contentFromTheConfiguredAddressEndsTheMove() {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("foreign")]
        source.run(.seconds(300))
        #expect(source.shown == ["foreign"])
        web.answers[PlayedSource.configured] = .feed("own")
        source.run(.seconds(25 * 3_600))
        #expect(source.shown == ["own"])
        #expect(source.record?.location == nil)
        source.cache.restart()
        source.run(.seconds(3 * 3_600))
        #expect(source.leased.suffix(5).allSatisfy { $0 == PlayedSource.configured })
    }

    @Test(arguments: [404, 410, 500, 429, 302])
    func aConfiguredAddressThatIsDeadLeavesAMovedSourceAlone(status: Int) throws {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(300))
        web.answers[PlayedSource.configured] = status == 302 ? .redirect(302, PlayedWeb.portal) : .status(status)
        let cycles = source.cache.cycles.count
        source.run(.seconds(3 * 24 * 3_600)) { source.cache.restart() }
        #expect(source.shown == ["own"])
        #expect(source.cache.cycles.dropFirst(cycles).allSatisfy { $0.data.failure == nil })
        #expect(source.record?.location == Self.new)
        #expect(source.leased.filter { $0 == PlayedSource.configured }.count == 4)
    }

    @Test func aNewPlaceThatDiesIsLeftAfterThreeFailures() {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("foreign")]
        source.run(.seconds(300))
        web.answers[PlayedSource.configured] = .feed("own")
        web.deadHosts = ["new.example"]
        let before = source.leased.count
        source.run(.seconds(3_600))
        let attempts = Array(source.leased.dropFirst(before).prefix(4))
        #expect(attempts == [Self.new, Self.new, Self.new, PlayedSource.configured])
        #expect(source.shown == ["own"])
    }

    @Test func twoDeadPlacesAreBothTriedAndTheFirstThatLivesCounts() {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(300))
        web.network = .down
        source.run(.seconds(5 * 24 * 3_600)) { source.cache.restart() }
        #expect(source.shown == ["own"])
        web.network = .open
        web.deadHosts = ["blog.example"]
        web.answers[Self.new] = .feed("own, later")
        source.run(.seconds(5 * 3_600))
        #expect(source.shown == ["own, later"])
    }

    @Test func secretsGoToTheConfiguredServerAlone() throws {
        var plan = CacheFixture.plan([PlayedSource.configured])
        plan.widgets[CacheFixture.widget(0)]?.source = SourceAddress(
            url: PlayedSource.configured,
            headers: [RequestHeader(name: "X-Key", value: "1")]
        )
        let source = PlayedSource(plan)
        source.web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(2 * 24 * 3_600))
        let (own, other) = (
            source.web.requests.filter { $0.url == PlayedSource.configured },
            source.web.requests.filter { $0.url == Self.new }
        )
        #expect(own.count == 3 && own.allSatisfy { $0.headers.contains { $0.name == "X-Key" } })
        #expect(!other.isEmpty && other.allSatisfy { $0.headers.allSatisfy { $0.name != "X-Key" } })
    }

    // MARK: Limits and stores

    @Test func anAttemptThatNeverEndsDoesNotKeepASourceFromItsPlace() throws {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(24 * 3_600 - 60))
        source.cache.pass(1_900_000)
        let lost = try #require(source.cache.lease("lost-1")?.leases.first)
        #expect(lost.url == PlayedSource.configured)
        #expect(lost.validators == Validators() && lost.bodyDigest == nil)
        source.cache.pass(60_000)
        source.run(.seconds(3_600))
        #expect(source.leased.last == Self.new)
    }

    @Test func anAttemptAtTheConfiguredAddressIsKnownAfterARestart() throws {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(Self.day - .seconds(60))
        source.cache.pass(1_900_000)
        let lease = try #require(source.cache.lease("late-1")?.leases.first)
        #expect(lease.url == PlayedSource.configured)
        let folder = try TemporaryFolder()
        let store = try CacheStore(path: folder.url.appending(path: "cache.sqlite").path)
        try store.write(source.cache.stored.leases.map { .saveLease($0, $1) })
        source.cache.stored.leases = try store.load().leases
        store.close()
        source.cache.restart()
        #expect(source.cache.lease("late-1")?.leases.first?.url == PlayedSource.configured)
        let cycles = source.cache.cycles.count
        source.cache.answer(lease, .failed, failure: .permanent)
        #expect(source.cache.cycles.count == cycles, "the address where the source is now has not failed")
    }

    @Test func aHoldOfTheConfiguredHostDoesNotDelayTheSource() {
        web.answers = [PlayedSource.configured: .redirect(301, Self.new), Self.new: .feed("own")]
        source.run(.seconds(300))
        web.answers[PlayedSource.configured] = .status(429)
        source.run(Self.day)
        #expect(source.cache.core.schedule.record(of: "blog.example").blockedUntil != nil)
        #expect(source.record?.failures == 0)
        #expect(source.record?.lastAttempt.map { source.cache.now.milliseconds(since: $0) <= 3_600_000 } == true)
    }

    @Test func aSourceThatAnEarlierVersionMovedComesBackWithinADay() throws {
        // A record as earlier versions stored it, after a year of failures at a login page's feed.
        let id = SourceAddress(url: PlayedSource.configured).id
        let next = source.cache.now.advanced(by: .seconds(400 * 24 * 3_600))
        let row = """
            {"abandonedLeases":0,"contents":{},"failures":99,"location":"\(PlayedWeb.portalFeed)",\
            "nextAttempt":"\(next)","validators":{}}
            """
        source.cache.stored.sources[id] = try WireJSON.decode(SourceRecord.self, from: Data(row.utf8))
        source.cache.restart()
        web.answers[PlayedSource.configured] = .feed("own")
        source.run(Self.day)
        #expect(source.shown == ["own"])
        #expect(source.record?.location == nil)
    }

    // MARK: Everything at once

    @Test(arguments: 1...15)
    func whateverHappensASourceComesBackAndShowsNothingForeign(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let isPage = Bool.random(using: &dice)
        let real = isPage ? "http://blog.example/rss.xml" : PlayedSource.configured
        func heal() {
            (web.network, web.deadHosts) = (.open, [])
            web.answers = [real: .feed("own")]
            if isPage { web.answers[PlayedSource.configured] = .page(["/rss.xml"]) }
            web.answers["https://moved.example/feed"] = .feed("own, moved")
            web.answers["http://blog.example/other.xml"] = .feed("foreign")
        }
        heal()
        // A portal that replaces a page before the first content looks like the page itself.
        web.network = [PlayedWeb.Network.open, .redirecting, .down].randomElement(using: &dice) ?? .open
        for _ in 0..<12 {
            source.run(.seconds(Int64.random(in: 1...200_000, using: &dice))) {
                #expect(source.shown.allSatisfy { $0.hasPrefix("own") }, "\(source.leased.suffix(3))")
            }
            if source.shown.isEmpty, web.network != .open { heal() }
            switch Int.random(in: 0..<7, using: &dice) {
            case 0 where !source.shown.isEmpty: web.network = .replacing
            case 1: web.network = [.open, .redirecting, .down].randomElement(using: &dice) ?? .open
            case 2: web.deadHosts = ["blog.example"]
            case 3: web.deadHosts = ["moved.example"]
            case 4 where !isPage: web.answers[PlayedSource.configured] = .redirect(301, "https://moved.example/feed")
            case 5 where !source.shown.isEmpty: web.answers[PlayedSource.configured] = .page(["/other.xml"])
            case 6: web.answers[real] = .redirect(302, PlayedWeb.portal)
            default: heal()
            }
            if Bool.random(using: &dice) { source.cache.restart() }
        }
        heal()
        // The longest pause after failures is part of the day for sources that have moved; others wait 26 hours.
        source.run(.seconds(27 * 3_600))
        #expect(source.shown == ["own"], "\(String(describing: source.record))")
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache
@testable import Configuration

/// A cache's core with a store made of its own writes, on a clock that the test moves.
final class CacheFixture {
    var plan: CachePlan
    var core: CacheCore
    var now = Instant(milliseconds: 1_763_683_200_000)
    /// The state that the core's writes have stored, so that another core can start from it.
    var stored = CacheState()
    var cycles: [Event<Refreshed>] = []
    private var requesters: RequesterID = 0
    private var starts = 0

    init(_ plan: CachePlan) {
        self.plan = plan
        core = CacheCore(plan: plan, state: CacheState(), nonce: "n0")
    }

    /// Returns a core that was started.
    static func started(_ plan: CachePlan) -> CacheFixture {
        let cache = CacheFixture(plan)
        cache.feed(.start)
        return cache
    }

    /// The limits of a configuration that sets none.
    static let limits = CacheLimits(TidingsConfiguration.Fetching(), TidingsConfiguration.History())

    /// Widgets `w0`, `w1`, … each with a source of its own on one host, unless `urls` says otherwise.
    static func plan(
        _ urls: [String] = ["https://example.org/0"],
        kind: WidgetKind = .feed,
        limits: (inout CacheLimits) -> Void = { _ in }
    ) -> CachePlan {
        var numbers = Self.limits
        numbers.hostSpacing = .zero
        limits(&numbers)
        return CachePlan(
            widgets: urls.enumerated().map { index, url in
                WidgetPlan(
                    id: widget(index),
                    definition: WidgetDefinition(kind: kind),
                    displays: [display("phone")],
                    source: SourceAddress(url: url),
                    interval: .seconds(60),
                    minimumInterval: .seconds(10),
                    parsing: Parsing(kind: kind)
                )
            },
            limits: numbers
        )
    }

    static func widget(_ index: Int) -> WidgetID {
        guard let id = WidgetID(rawValue: "w\(index)") else { preconditionFailure("w and digits are a widget id") }
        return id
    }

    static func display(_ text: String) -> Display {
        guard let name = DisplayName(rawValue: text) else { preconditionFailure("tests give valid names") }
        return .sample(name)
    }

    /// Feeds one input and the end of its batch, and commits.
    @discardableResult
    func feed(_ input: CacheInput) -> CacheStep {
        let step = core.handle(input, now: now) + core.handle(.tick, now: now)
        commit(step)
        return step
    }

    /// Ends a batch at a later moment.
    @discardableResult
    func pass(_ milliseconds: Int64) -> CacheStep {
        now = now.advanced(byMilliseconds: milliseconds)
        return feed(.tick)
    }

    /// Ends this core and starts another from what was committed.
    @discardableResult
    func restart(_ plan: CachePlan? = nil) -> CacheStep {
        starts += 1
        self.plan = plan ?? self.plan
        core = CacheCore(plan: self.plan, state: stored, nonce: "n\(starts)")
        return feed(.start)
    }

    /// Requests leases and returns them; empty if the request waits.
    func lease(
        _ request: String,
        slots: Int = 8,
        unacknowledged: [LeaseID] = [],
        givenBack: [LeaseID] = [],
        parserVersion: Int? = nil
    ) -> LeaseAnswer? {
        let step = feed(
            .lease(
                requester(),
                requestID: request,
                deadlineMilliseconds: 4000,
                LeaseRequest(
                    slots: slots,
                    unacknowledged: unacknowledged,
                    givenBack: givenBack,
                    parserVersion: parserVersion
                )
            )
        )
        return Self.leaseAnswers(step).last
    }

    /// Requests leases and returns the first.
    func take(_ request: String, parserVersion: Int? = nil) throws -> Lease {
        try #require(lease(request, parserVersion: parserVersion)?.leases.first)
    }

    /// Feeds what a fetch of `lease` found: `text` as the content.
    @discardableResult
    func answer(_ lease: Lease, _ text: String, parsing: String = "feed", location: String? = nil) -> CacheStep {
        let bytes = Data(text.utf8)
        let digest = Self.digest(text)
        return feed(
            .fetched(
                lease.source,
                Fetched(
                    lease: lease.id,
                    result: .content,
                    contents: [ContentReference(parsing: parsing, digest: digest)],
                    validators: Validators(entityTag: "\"\(text)\""),
                    location: location,
                    bodyDigest: digest,
                    answeredAt: now
                ),
                contents: [digest: bytes]
            )
        )
    }

    /// Feeds an outcome as it is, with its contents.
    @discardableResult
    func answer(_ lease: Lease, _ fetched: Fetched, contents: [String] = []) -> CacheStep {
        let bytes = contents.map { (Self.digest($0), Data($0.utf8)) }
        return feed(.fetched(lease.source, fetched, contents: Dictionary(uniqueKeysWithValues: bytes)))
    }

    @discardableResult
    func answer(
        _ lease: Lease,
        _ result: Fetched.Result,
        failure: AttemptFailure.Class? = nil,
        retryAfter: Int? = nil
    ) -> CacheStep {
        feed(
            .fetched(
                lease.source,
                Fetched(
                    lease: lease.id,
                    result: result,
                    failure: failure.map { AttemptFailure(class: $0, message: "no") },
                    freshness: Freshness(retryAfterSeconds: retryAfter),
                    answeredAt: now
                ),
                contents: [:]
            )
        )
    }

    @discardableResult
    func command(
        _ command: Command,
        counter: UInt64,
        client: String = "ada",
        on widget: WidgetID = widget(0),
        display: DisplayName? = nil
    ) -> CacheStep {
        feed(
            .command(
                requester(),
                deadlineMilliseconds: 5000,
                CommandRequest(client: client, counter: counter, widget: widget, command: command, display: display)
            )
        )
    }

    @discardableResult
    func push(
        _ titles: [String],
        counter: UInt64,
        hasContent: Bool? = nil,
        to widget: WidgetID = widget(0)
    ) -> CacheStep {
        let items = titles.map { FeedItem(id: $0, title: $0) }
        let text = titles.joined(separator: "\n")
        return feed(
            .push(
                requester(),
                PushRequest(
                    client: "script",
                    counter: counter,
                    widget: widget,
                    content: .feed(FeedContent(items: items)),
                    hasContent: hasContent
                ),
                Self.digest(text),
                Data(text.utf8)
            )
        )
    }

    func requester() -> RequesterID {
        requesters += 1
        return requesters
    }

    static func digest(_ text: String) -> ContentDigest {
        guard let digest = ContentDigest(rawValue: SHA256.hexDigest(of: text)) else {
            preconditionFailure("a SHA-256 is a digest")
        }
        return digest
    }

    static func leaseAnswers(_ step: CacheStep) -> [LeaseAnswer] {
        step.effects.compactMap { if case .answerLease(_, let answer) = $0 { answer } else { nil } }
    }

    static func cycleAnswers(_ step: CacheStep) -> [SequenceNumber] {
        step.effects.compactMap { if case .answerCycle(_, let answer) = $0 { answer.sequence } else { nil } }
    }

    static func errors(_ step: CacheStep) -> [RequestError.Code] {
        step.effects.compactMap { if case .answerError(_, let error) = $0 { error.code } else { nil } }
    }

    static func cycles(_ step: CacheStep) -> [Event<Refreshed>] {
        step.writes.compactMap { if case .keep(let cycle, _) = $0 { cycle.event } else { nil } }
    }

    private func commit(_ step: CacheStep) {
        cycles += Self.cycles(step)
        for write in step.writes {
            switch write {
            case .saveWidget(let id, let record): stored.widgets[id] = record
            case .keep(let cycle, let record): stored.widgets[cycle.widget] = record
            case .saveSource(let id, let record): stored.sources[id] = record
            case .forgetSource(let id): stored.sources[id] = nil
            case .saveLease(let source, let lease): stored.leases[source] = lease
            case .endLease(let source): stored.leases[source] = nil
            case .saveHost(let host, let record): stored.hosts[host] = record
            case .forgetHost(let host): stored.hosts[host] = nil
            case .forgetRestore: stored.wasRestored = false
            case .saveCommand(let key, let record): stored.commands[key] = record
            case .forgetCommands(let horizon):
                stored.commands = stored.commands.filter { $0.value.at >= horizon }
            default: break
            }
        }
    }
}

extension CacheStore {
    /// Opens the store in a file `cache.sqlite`.
    convenience init(path: String) throws {
        try self.init(.folder(StoreFolder((path as NSString).deletingLastPathComponent)))
    }

    /// Makes each statement `event` on a table fail.
    func refuse(_ event: String, on table: String) throws {
        let trigger = "CREATE TRIGGER no_\(event)_\(table) BEFORE \(event) ON \(table)"
        try database.transaction { transaction in
            try transaction.execute("\(trigger) BEGIN SELECT RAISE(ABORT, 'a row was written'); END")
        }
    }
}

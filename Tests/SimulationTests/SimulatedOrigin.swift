// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

@testable import Cache

/// The origins: each source has a visible and an invisible part, and both change.
final class SimulatedOrigin {
    struct State: Hashable {
        var seen: Int64 = 0
        var unseen: Int64 = 0

        var tag: String { "\"\(seen)-\(unseen)\"" }
    }

    private struct Transfer {
        var fetch: Int
        var source: Int
        var fetcher: Int
        var lease: LeaseID
    }

    static let sources = 8
    static let hosts = ["h0", "h0", "h1", "h2", "h3", "h3", "h4", "h5"]
    static let addresses = (0..<sources).map { SourceAddress(url: "https://\(hosts[$0]).example/s\($0)") }

    private unowned let simulation: Simulation
    private(set) var states = [State](repeating: State(), count: sources)
    private var downUntil = [Int64](repeating: 0, count: sources)
    private var transfers: [Transfer] = []
    private(set) var fetches = 0
    private var bodies: [[State]: (Data, ContentDigest)] = [:]

    init(_ simulation: Simulation) { self.simulation = simulation }

    static func index(of source: SourceID) -> Int? { addresses.firstIndex { $0.id == source } }

    func change(_ source: Int, seen: Int64?, unseen: Int64?) {
        if let seen { states[source].seen = seen }
        if let unseen { states[source].unseen = unseen }
    }

    func goDown(_ source: Int, for time: Int64) { downUntil[source] = simulation.now + time }

    /// Makes sources that are down available again.
    func comeBack() { downUntil = downUntil.map { min($0, simulation.now) } }

    /// The sources whose widgets show a different quote each day.
    static let quoteSources: Set<Int> = [3, 6]

    static func kind(of source: Int) -> WidgetKind { quoteSources.contains(source) ? .quote : .feed }

    /// Returns the content of a source, as a fetcher makes it from the answer.
    func content(of source: Int, _ state: State) -> (bytes: Data, digest: ContentDigest) {
        let key = [state, State(seen: Self.quoteSources.contains(source) ? 1 : 0, unseen: 0)]
        if let known = bodies[key] { return known }
        guard let bytes = try? WireJSON.encode(Self.made(Self.kind(of: source), state)),
            let digest = ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
        else { preconditionFailure("a content has a form on the wire") }
        bodies[key] = (bytes, digest)
        return (bytes, digest)
    }

    private static func made(_ kind: WidgetKind, _ state: State) -> Content {
        guard kind == .quote else {
            let items = (0..<2).map { index in
                FeedItem(
                    id: "\(index)",
                    title: index == 0 ? "Headline \(state.seen)" : "Older \(index)",
                    summary: "\(state.unseen)"
                )
            }
            return .feed(FeedContent(items: items))
        }
        // The last quote is not visible on the days of a run.
        var quotes = (0..<10).map { Quote(text: "Words \(state.seen) of day \($0)") }
        quotes[9].author = "\(state.unseen)"
        return .quote(QuoteContent(quotes: quotes))
    }

    // MARK: Fetches

    func fetch(_ lease: Lease, for fetcher: FetcherProcess) {
        guard let source = Self.index(of: lease.source) else { return }
        fetches += 1
        let fetch = fetches
        simulation.note("fetches source \(source) for \(lease.id)", fetcher)
        if simulation.oracle.judgesFetches {
            if transfers.contains(where: { $0.source == source }) {
                simulation.oracle.report("two fetches of one source at once", "source \(source)")
            } else if transfers.contains(where: { Self.hosts[$0.source] == Self.hosts[source] }) {
                simulation.oracle.report("more fetches of a host at once than allowed", "source \(source)")
            }
        }
        transfers.append(Transfer(fetch: fetch, source: source, fetcher: fetcher.number, lease: lease.id))
        let isSlow = simulation.isChaotic && simulation.natureDice.chance(simulation.faults.slowFetch)
        let duration = simulation.natureDice.number(isSlow ? 900...20_000 : 50...600)
        let reads = simulation.natureDice.number(0...duration)
        var read: (State, at: Int64, isDown: Bool)?
        simulation.after(reads) { [self] in
            read = (states[source], simulation.now, simulation.now < downUntil[source])
        }
        let generation = fetcher.generation
        simulation.after(duration) { [self] in
            guard transfers.contains(where: { $0.fetch == fetch }) else { return }
            transfers.removeAll { $0.fetch == fetch }
            simulation.note("has fetched source \(source) for \(lease.id)", fetcher)
            guard fetcher.isAlive, fetcher.generation == generation, let read else { return }
            fetcher.fetched(lease, answer(lease, source, read.0, isDown: read.isDown), fetch: fetch, observed: read.at)
        }
    }

    /// Ends a transfer without a result.
    func abort(_ fetch: Int) { transfers.removeAll { $0.fetch == fetch } }

    func abort(allOf fetcher: Int) { transfers.removeAll { $0.fetcher == fetcher } }

    func fetch(for lease: LeaseID) -> Int? {
        transfers.last { $0.lease == lease }?.fetch
    }

    private func answer(_ lease: Lease, _ source: Int, _ state: State, isDown: Bool) -> (Fetched, [Data]) {
        func outcome(_ result: Fetched.Result) -> Fetched {
            Fetched(lease: lease.id, result: result, answeredAt: simulation.wall)
        }
        if isDown {
            var failed = outcome(.failed)
            failed.failure = AttemptFailure(class: .transient, message: "The origin is down.")
            return (failed, [])
        }
        if lease.validators.entityTag == state.tag { return (outcome(.notModified), []) }
        let (bytes, digest) = content(of: source, state)
        if lease.bodyDigest == digest {
            var same = outcome(.sameBytes)
            same.validators = Validators(entityTag: state.tag)
            return (same, [])
        }
        var changed = outcome(.content)
        changed.validators = Validators(entityTag: state.tag)
        changed.bodyDigest = digest
        changed.contents = lease.parsings.map { ContentReference(parsing: $0.key, digest: digest) }
        return (changed, lease.parsings.map { _ in bytes })
    }
}

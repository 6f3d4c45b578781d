// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import ServiceRuntime
import TestSupport
import WidgetSchema

/// A subscriber of `update/` that keeps a record of its own: nothing in it comes from the code that makes the streams.
///
/// It reads JSON by key, follows the published rules (drop, take, ask for what is missing), and writes down each fault.
final class IndependentReader: Sendable {
    struct Seen: Sendable {
        var widget: String
        var first: UInt64
        var sequence: UInt64
        var result: String
        var reason: String
        var cause: String
        var outcome: String
        var hasContent: Bool?
        var failure: [String: String]
        var time: Instant?
        /// The time at which the cache committed the cycle.
        var committed: Instant?
        var changed: [String]
        var summary: String
        var blockedUntil: String?
        /// The result with its reason, as in "noData: sameRows".
        var verdict: String { "\(result): \(reason)" }
    }

    struct Record: Sendable {
        /// Milliseconds from an update's failure to the next attempt that it promises.
        func pause(_ widget: String) -> Int64? {
            guard let seen = last(widget), let time = seen.time,
                let next = seen.failure["nextAttempt"].flatMap({ Instant($0) })
            else { return nil }
            return next.milliseconds(since: time)
        }

        var updates: [Seen] = []
        var last: [String: UInt64] = [:]
        var faults: [String] = []
        /// Message by topic and range, to compare a second sighting with.
        var bytes: [String: Data] = [:]
        var digests: [String: [String: String]] = [:]
        var repeated = 0
        var replays = 0
        /// Messages of `heads/notifier/` that name no widget.
        var emptyHeads = 0
        fileprivate var asked = false

        func count(_ widget: String) -> Int { updates.count { $0.widget == widget } }
        func last(_ widget: String) -> Seen? { updates.last { $0.widget == widget } }
        /// Returns whether any update of a widget brought new data; a later update without news may follow at once.
        func hasNewData(_ widget: String) -> Bool { updates.contains { $0.widget == widget && $0.result == "newData" } }
    }

    private let client: BusClient
    private let state = Lock(Record())

    private init(_ client: BusClient) { self.client = client }

    static func with<Result>(
        _ address: BusAddress,
        _ body: (IndependentReader) async throws -> Result
    ) async throws -> Result { try await with(BusAddresses(address), body) }

    static func with<Result>(
        _ addresses: BusAddresses,
        _ body: (IndependentReader) async throws -> Result
    ) async throws -> Result {
        let configuration = BusConfiguration(addresses: addresses, subscriptions: ["update/", "heads/notifier/"])
        return try await withBusClient(configuration) { client in try await body(IndependentReader(client)) }
    }

    var record: Record { state.withLock(\.self) }

    /// Reads until the record is as a test waits for it.
    func read(
        _ what: String,
        within timeout: Duration = .seconds(30),
        until isDone: @escaping @Sendable (Record) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        let arrived = try await ServiceThread.run(named: "reader") { [self] in
            while !state.withLock({ isDone($0) }) {
                let batch = client.nextBatch(maximum: 64, until: deadline)
                for input in batch { note(input) }
                if batch.isEmpty, ContinuousClock.now >= deadline { return false }
            }
            return true
        }
        guard arrived else {
            let record = record
            let updates = record.updates.suffix(5).map { "\($0)" }.joined(separator: "\n")
            throw DidNotArrive("\(what); the last updates:\n\(updates)\nlast: \(record.last), faults: \(record.faults)")
        }
    }

    // MARK: The rules, as documented for readers in any language

    private func note(_ input: BusInput) {
        switch input {
        case .message(let topic, let frames):
            guard let json = frames.first else { return fault("\(topic) has no event") }
            if topic.text.hasPrefix("update/") {
                compare(topic, json)
                if let event = parse(json) { take(event) }
            } else {
                follow(heads: json)
            }
        case .answer(_, let json, _):
            state.withLock { $0.asked = false }
            guard let result = parse(json)?["result"] as? [String: Any],
                let records = result["records"] as? [[String: Any]]
            else { return fault("a replay's answer has no records") }
            for event in records { take(event) }
            if result["more"] as? Bool == true { state.withLock { $0.replays += 1 } }
        case .requestFailed:
            state.withLock { $0.asked = false }
        default: break
        }
    }

    /// Expects the same bytes for the same range, but after a restore or a fork: its epoch and offset are new then.
    private func compare(_ topic: Topic, _ json: Data) {
        guard let event = parse(json), let first = event["first"], let sequence = event["sequence"] else { return }
        let key = "\(event["subject"] ?? "") \(first) \(sequence)"
        state.withLock { record in
            guard let before = record.bytes.updateValue(json, forKey: key) else { return }
            record.repeated += 1
            if before != json, !Self.differInEpochAlone(before, now: json) {
                record.faults.append("\(topic) \(key) came with other bytes than before")
            }
        }
    }

    private static func differInEpochAlone(_ before: Data, now: Data) -> Bool {
        func parts(_ json: Data) -> (epoch: String?, rest: NSDictionary)? {
            guard var event = try? JSONSerialization.jsonObject(with: json) as? [String: Any] else { return nil }
            let epoch = event.removeValue(forKey: "epoch") as? String
            event["offset"] = nil
            return (epoch, NSDictionary(dictionary: event))
        }
        guard let before = parts(before), let now = parts(now) else { return false }
        return before.epoch != now.epoch && before.rest == now.rest
    }

    private func take(_ event: [String: Any]) {
        guard let widget = event["subject"] as? String, let first = (event["first"] as? String).flatMap(UInt64.init),
            let sequence = (event["sequence"] as? String).flatMap(UInt64.init),
            let data = event["data"] as? [String: Any], let displays = data["displays"] as? [String: [String: Any]]
        else { return fault("an update lacks what every update has: \(event)") }
        let last = record.last[widget] ?? 0
        if sequence <= last { return }
        if first > last + 1 { return ask([widget: last + 1]) }
        let seen = Seen(
            widget: widget,
            first: first,
            sequence: sequence,
            result: data["result"] as? String ?? "",
            reason: data["reason"] as? String ?? "",
            cause: data["cause"] as? String ?? "",
            outcome: data["outcome"] as? String ?? "",
            hasContent: data["hasContent"] as? Bool,
            failure: ((data["failure"] as? [String: Any]) ?? [:]).mapValues { "\($0)" },
            time: (event["time"] as? String).flatMap { Instant($0) },
            committed: ((data["times"] as? [String: Any])?["committed"] as? String).flatMap { Instant($0) },
            changed: data["changed"] as? [String] ?? [],
            summary: data["summary"] as? String ?? "",
            blockedUntil: data["blockedUntil"] as? String
        )
        let digests = displays.compactMapValues { $0["digest"] as? String }
        state.withLock { record in
            if first != last + 1 {
                record.faults.append("\(widget): \(first)-\(sequence) overlaps what ended at \(last)")
            }
            let before = record.digests[widget] ?? [:]
            let differing = Set(digests.keys.filter { before[$0] != digests[$0] })
            let isPlaceholder = seen.reason == "missing" || before.isEmpty && seen.result != "newData"
            if !isPlaceholder, differing != Set(seen.changed) {
                record.faults.append("\(widget) \(sequence) says \(seen.changed) changed, \(differing) did")
            }
            // A reader does not draw a display that an update without content does not announce.
            if seen.reason != "missing" { record.digests[widget] = digests }
            record.last[widget] = sequence
            record.updates.append(seen)
        }
    }

    private func follow(heads json: Data) {
        guard let heads = (parse(json)?["data"] as? [String: Any])?["heads"] as? [String: [String: Any]] else {
            return fault("heads have no heads")
        }
        if heads.isEmpty { state.withLock { $0.emptyHeads += 1 } }
        let last = record.last
        var missing: [String: UInt64] = [:]
        for (widget, head) in heads {
            let sequence = (head["sequence"] as? String).flatMap(UInt64.init) ?? 0
            if sequence > last[widget] ?? 0 { missing[widget] = (last[widget] ?? 0) + 1 }
        }
        if !missing.isEmpty { ask(missing) }
    }

    private func ask(_ missing: [String: UInt64]) {
        let isFree = state.withLock { record in
            defer { record.asked = true }
            if !record.asked { record.replays += 1 }
            return !record.asked
        }
        guard isFree else { return }
        var from: [WidgetID: SequenceNumber] = [:]
        for (widget, number) in missing { WidgetID(rawValue: widget).map { from[$0] = SequenceNumber(number) } }
        client.request(RequestTarget(.notifier), ReplayRequest<Update>(from: from), deadline: .seconds(2))
    }

    private func parse(_ json: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: json)) as? [String: Any]
    }

    private func fault(_ what: String) { state.withLock { $0.faults.append(what) } }
}

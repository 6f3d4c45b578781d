// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import ServiceRuntime
import TestSupport
import WidgetSchema

/// A record of the messages `refreshed/` and `update/` on the bus, for a comparison with later replays.
final class WireRecord: Sendable {
    /// One message of a stream.
    struct Seen: Sendable {
        var first: UInt64
        var sequence: UInt64
        /// The event with its keys in order, without its id, which says in a replay that it is one, and without its
        /// position.
        var event: Data
        /// The epoch and offset of an update; both are new if its store lies in another file.
        var epoch: String?
        var offset: String?
    }

    /// Which stream of which widget.
    struct Stream: Hashable, Sendable {
        var service: ServiceName
        var widget: WidgetID
    }

    /// The result of a comparison of replays with the record.
    struct Comparison: Sendable {
        var compared = 0
        var faults: [String] = []
    }

    private struct State {
        var seen: [Stream: [Seen]] = [:]
        var contents: [String: Data] = [:]
        var faults: [String] = []
    }

    private let client: BusClient
    private let state = Lock(State())

    private init(_ client: BusClient) { self.client = client }

    static func with<Result>(_ address: BusAddress, _ body: (WireRecord) async throws -> Result) async throws -> Result
    {
        let configuration = BusConfiguration(address: address, subscriptions: ["update/", "refreshed/"])
        return try await withBusClient(configuration) { client in try await body(WireRecord(client)) }
    }

    /// The number of recorded messages of each stream.
    var counts: [Stream: Int] { state.withLock { $0.seen.mapValues(\.count) } }

    /// Reads until so many more messages of each of the streams have come.
    func read(_ count: Int, more streams: [Stream], within timeout: Duration = .seconds(30)) async throws {
        let before = counts
        let deadline = ContinuousClock.now + timeout
        let arrived = try await ServiceThread.run(named: "record") { [self] in
            while !streams.allSatisfy({ counts[$0, default: 0] >= before[$0, default: 0] + count }) {
                let batch = client.nextBatch(maximum: 64, until: deadline)
                for input in batch { note(input) }
                if batch.isEmpty, ContinuousClock.now >= deadline { return false }
            }
            return true
        }
        guard arrived else { throw DidNotArrive("\(count) more messages of each stream; so far: \(counts)") }
    }

    /// Asks a service for all that was seen of its streams, and compares.
    ///
    /// What is older than the history that it keeps comes as one range, and is not compared.
    func compare(_ service: ServiceName, within timeout: Duration = .seconds(20)) async throws -> Comparison {
        try await ServiceThread.run(named: "record") { [self] in
            let deadline = ContinuousClock.now + timeout
            let seen = state.withLock { $0.seen }.filter { $0.key.service == service && !$0.value.isEmpty }
            var from: [WidgetID: SequenceNumber] = [:]
            for (stream, seen) in seen { from[stream.widget] = SequenceNumber(seen.map(\.first).min() ?? 1) }
            var comparison = Comparison()
            var replayed: [Stream: [Seen]] = [:]
            while !from.isEmpty {
                let (result, contents) = try replay(service, from, until: deadline)
                guard let records = result["records"] as? [[String: Any]] else {
                    throw DidNotArrive("records in a replay of \(service)")
                }
                for record in records {
                    guard let (widget, seen) = Self.seen(record) else { throw DidNotArrive("a whole record") }
                    replayed[Stream(service: service, widget: widget), default: []].append(seen)
                    from[widget] = SequenceNumber(seen.sequence + 1)
                }
                comparison.faults += state.withLock { Self.compare(contents, of: result, with: $0.contents) }
                if result["more"] as? Bool != true { from = [:] }
            }
            for (stream, seen) in seen { Self.compare(seen, replayed[stream] ?? [], of: stream, &comparison) }
            comparison.faults += state.withLock(\.faults)
            return comparison
        }
    }

    private func replay(
        _ service: ServiceName,
        _ from: [WidgetID: SequenceNumber],
        until deadline: ContinuousClock.Instant
    ) throws -> ([String: Any], [Data]) {
        var id: RequestID?
        while ContinuousClock.now < deadline {
            let target = RequestTarget(service)
            let asked =
                id
                ?? (service == .cache
                    ? client.request(target, ReplayRequest<Refreshed>(from: from), deadline: .seconds(5))
                    : client.request(target, ReplayRequest<Update>(from: from), deadline: .seconds(5)))
            id = asked
            var answer: ([String: Any], [Data])?
            for input in client.nextBatch(maximum: 64, until: deadline) {
                switch input {
                case .answer(asked, let json, let contents):
                    guard let result = Self.object(json)?["result"] as? [String: Any] else {
                        throw DidNotArrive("the result of a replay of \(service)")
                    }
                    answer = (result, contents)
                case .requestFailed(asked, _): id = nil
                default: note(input)
                }
            }
            if let answer { return answer }
        }
        throw DidNotArrive("a replay of \(service)")
    }

    // MARK: What is seen

    private func note(_ input: BusInput) {
        guard case .message(let topic, let frames) = input, let json = frames.first, let object = Self.object(json)
        else { return }
        guard let (widget, seen) = Self.seen(object) else {
            return state.withLock { $0.faults.append("\(topic) has a message without subject or numbers") }
        }
        let service: ServiceName = topic.text.hasPrefix("refreshed/") ? .cache : .notifier
        let content = ((object["data"] as? [String: Any])?["content"] as? [String: Any])?["digest"] as? String
        state.withLock { state in
            state.seen[Stream(service: service, widget: widget), default: []].append(seen)
            if let content, frames.count > 1 { state.contents[content] = frames[1] }
        }
    }

    private static func seen(_ object: [String: Any]) -> (WidgetID, Seen)? {
        var object = object
        object["id"] = nil
        let epoch = object.removeValue(forKey: "epoch") as? String
        let offset = object.removeValue(forKey: "offset") as? String
        guard let widget = (object["subject"] as? String).flatMap(WidgetID.init(rawValue:)),
            let first = (object["first"] as? String).flatMap(UInt64.init),
            let sequence = (object["sequence"] as? String).flatMap(UInt64.init),
            let event = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        else { return nil }
        return (widget, Seen(first: first, sequence: sequence, event: event, epoch: epoch, offset: offset))
    }

    private static func object(_ json: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: json)) as? [String: Any]
    }

    // MARK: What is compared

    private static func compare(_ seen: [Seen], _ replayed: [Seen], of stream: Stream, _ comparison: inout Comparison) {
        let place = "\(stream.service) \(stream.widget)"
        let events = Dictionary(replayed.map { ("\($0.first)-\($0.sequence)", $0) }) { first, _ in first }
        for (before, after) in zip(replayed, replayed.dropFirst()) where after.first != before.sequence + 1 {
            comparison.faults.append("\(place): \(after.first) follows on \(before.sequence) in the replay")
        }
        for seen in seen {
            let numbers = "\(seen.first)-\(seen.sequence)"
            if let replayed = events[numbers] {
                comparison.compared += 1
                if replayed.epoch == seen.epoch, replayed.offset != seen.offset {
                    comparison.faults.append("\(place): \(numbers) was published with another offset")
                }
                if replayed.event != seen.event {
                    let said =
                        "\(String(decoding: seen.event, as: UTF8.self)), \(String(decoding: replayed.event, as: UTF8.self))"
                    comparison.faults.append("\(place): \(numbers) was published and has changed: \(said)")
                }
            } else if seen.sequence > replayed.first?.sequence ?? 0 {
                comparison.faults.append("\(place): \(numbers) was published and is forgotten")
            }
        }
    }

    private static func compare(_ contents: [Data], of result: [String: Any], with seen: [String: Data]) -> [String] {
        let digests = (result["contents"] as? [[String: Any]] ?? []).compactMap { $0["digest"] as? String }
        guard digests.count == contents.count else {
            return ["\(contents.count) contents for \(digests.count) digests"]
        }
        return zip(digests, contents).compactMap { digest, content in
            seen[digest].flatMap { $0 == content ? nil : "the content \(digest) has changed" }
        }
    }
}

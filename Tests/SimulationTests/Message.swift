// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A published message in flight; its contents are decoded once for all receivers.
final class Message {
    enum Kind: Hashable {
        case fetched
        case refreshed
        case laidOut
        case layout
        case update
        case cacheHeads
        case notifierHeads
        case layoutHealth
        case schedule
    }

    enum Body {
        case fetched(SourceID, Fetched, contents: [ContentDigest: Data], fetch: Int, observed: Int64)
        case refreshed(Event<Refreshed>, Data?)
        case laidOut(Data)
        case layout(Data)
        case update(Data)
        case cacheHeads([WidgetID: Head], id: String)
        case notifierHeads(Data)
        case layoutHealth(InstanceName, Health, id: String)
        case schedule(SourceSchedule, id: String)
    }

    let body: Body
    private(set) lazy var heads: Event<NotifierHeads>? = decode()
    private(set) lazy var layoutHead: LayoutHead? = decode()
    /// Equal for messages with equal bytes, as the hash that a client of two buses merges by.
    private(set) lazy var hash = makeHash()
    /// A Boolean value that indicates whether it was published during the chaos.
    var wasChaotic = false

    init(_ body: Body) { self.body = body }

    /// Creates the heartbeat of a layout instance; nil for that of another service.
    convenience init?(health topic: Topic, _ frames: [Data]) {
        let prefix = Topic.Prefix.health + ServiceName.layout.rawValue + "/"
        guard topic.text.hasPrefix(prefix), let frame = frames.first,
            let name = InstanceName(rawValue: String(topic.text.dropFirst(prefix.count).dropLast())),
            let event = try? WireJSON.decode(Event<Health>.self, from: frame)
        else { return nil }
        self.init(.layoutHealth(name, event.data, id: event.id))
    }

    var kind: Kind {
        switch body {
        case .fetched: .fetched
        case .refreshed: .refreshed
        case .laidOut: .laidOut
        case .layout: .layout
        case .update: .update
        case .cacheHeads: .cacheHeads
        case .notifierHeads: .notifierHeads
        case .layoutHealth: .layoutHealth
        case .schedule: .schedule
        }
    }

    private func decode<Value: Decodable>() -> Value? {
        switch body {
        case .layout(let data), .notifierHeads(let data):
            try? WireJSON.decode(Value.self, from: data)
        case .fetched, .refreshed, .laidOut, .update, .cacheHeads, .layoutHealth, .schedule: nil
        }
    }

    private func makeHash() -> Int {
        var hasher = Hasher()
        hasher.combine(kind)
        switch body {
        case .fetched(let source, let fetched, _, let fetch, _):
            hasher.combine(source)
            hasher.combine(fetched)
            hasher.combine(fetch)
        case .refreshed(let event, _): hasher.combine(event)
        case .laidOut(let data), .layout(let data), .update(let data), .notifierHeads(let data):
            // `Data` hashes its beginning alone.
            data.withUnsafeBytes { hasher.combine(bytes: $0) }
        case .cacheHeads(_, let id), .layoutHealth(_, _, let id), .schedule(_, let id): hasher.combine(id)
        }
        return hasher.finalize()
    }
}

/// The fields of a published layout that a client needs besides the layout.
struct LayoutHead: Decodable {
    struct Body: Decodable {
        var display: DisplayName
        var digest: ContentDigest
    }

    var subject: String
    var sequence: SequenceNumber
    var data: Body
}

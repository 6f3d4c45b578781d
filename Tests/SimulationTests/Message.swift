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
    }

    enum Body {
        case fetched(SourceID, Fetched, contents: [ContentDigest: Data], fetch: Int, observed: Int64)
        case refreshed(Event<Refreshed>, Data?)
        case laidOut(Data)
        case layout(Data)
        case update(Data)
        case cacheHeads([WidgetID: Head])
        case notifierHeads(Data)
    }

    let body: Body
    private(set) lazy var heads: Event<NotifierHeads>? = decode()
    private(set) lazy var layoutHead: LayoutHead? = decode()

    init(_ body: Body) { self.body = body }

    var kind: Kind {
        switch body {
        case .fetched: .fetched
        case .refreshed: .refreshed
        case .laidOut: .laidOut
        case .layout: .layout
        case .update: .update
        case .cacheHeads: .cacheHeads
        case .notifierHeads: .notifierHeads
        }
    }

    private func decode<Value: Decodable>() -> Value? {
        switch body {
        case .layout(let data), .notifierHeads(let data):
            try? WireJSON.decode(Value.self, from: data)
        case .fetched, .refreshed, .laidOut, .update, .cacheHeads: nil
        }
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

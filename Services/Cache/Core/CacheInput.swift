// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Names an asker that waits for an answer.
typealias AskerToken = UInt64

/// An input of the cache's core.
enum CacheInput: Sendable {
    /// The first input: publish again what may be unpublished, and compare the store with the configuration.
    case start
    /// An outcome, with the bytes of its contents by digest.
    case fetched(SourceID, Fetched, contents: [ContentDigest: Data])
    case lease(AskerToken, requestID: String, deadlineMilliseconds: Int, LeaseRequest)
    case command(AskerToken, deadlineMilliseconds: Int, CommandRequest)
    /// A push with its content's JSON, by digest.
    case push(AskerToken, PushRequest, ContentDigest, Data)
    case replay(AskerToken, ReplayRequest<Refreshed>)
    case snapshot(AskerToken, SnapshotRequest<Refreshed>)
    /// Files below the directory of files were written or replaced; nil: any of them may have been.
    case filesChanged(Set<String>?)
    /// The bus was gone, and with it perhaps messages.
    case reconnected
    /// The configuration was read anew.
    case configure(CachePlan)
    /// The wall clock was set forward or, by a negative number of milliseconds, back.
    case clockJumped(Int64)
    /// The end of a batch, or a deadline.
    case tick
}

extension CacheInput {
    /// The widgets that it is about, where it is about some.
    func widgets(of sources: SourcePlans) -> [WidgetID] {
        switch self {
        case .fetched(let source, _, _): sources[source]?.widgets ?? []
        case .command(_, _, let request): [request.widget]
        case .push(_, let request, _, _): [request.widget]
        case .start, .lease, .replay, .snapshot, .filesChanged, .reconnected, .configure, .clockJumped, .tick: []
        }
    }
}

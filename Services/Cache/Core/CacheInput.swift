// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An input of the cache's core.
enum CacheInput: Sendable {
    /// The first input, after which the core publishes the last cycles again and applies the configuration.
    case start
    /// A fetcher reported the outcome of a lease; `contents` has the bytes of the fetched contents, by digest.
    case fetched(SourceID, Fetched, contents: [ContentDigest: Data])
    case lease(RequesterID, requestID: String, deadlineMilliseconds: Int, LeaseRequest)
    case command(RequesterID, deadlineMilliseconds: Int, CommandRequest)
    /// A client pushed content; the last two values are the digest and the JSON of that content.
    case push(RequesterID, PushRequest, ContentDigest, Data)
    case replay(RequesterID, ReplayRequest<Refreshed>)
    case snapshot(RequesterID, SnapshotRequest<Refreshed>)
    /// The notifier asks whether this store has the cycles that it has handled.
    case confirm(RequesterID, ConfirmRequest)
    /// A gateway tells when somebody may look at widgets.
    case shown(RequesterID, ShownRequest)
    /// The file sources with these paths were written or replaced; nil means that any file source may have changed.
    ///
    /// The paths are relative, as in ``SourceAddress/file``.
    case filesChanged(Set<String>?)
    /// The connection to the bus was lost and restored; messages may be missing.
    case reconnected
    /// The configuration was reloaded.
    case configure(CachePlan)
    /// The wall clock was set forward by this number of milliseconds, or back if the number is negative.
    case clockJumped(Int64)
    /// A batch of inputs has ended, or a deadline has been reached.
    case tick
}

extension CacheInput {
    /// Returns the widgets that are affected if the input is a fetch outcome or a request that names widgets; else returns
    /// no widgets.
    ///
    /// A fetch outcome affects all widgets of its source, which are looked up in `sources`.
    func widgets(of sources: SourcePlans) -> [WidgetID] {
        switch self {
        case .fetched(let source, _, _): sources[source]?.widgets ?? []
        case .command(_, _, let request): [request.widget]
        case .push(_, let request, _, _): [request.widget]
        case .confirm(_, let request): request.widgets.keys.sorted()
        case .shown(_, let request): request.widgets
        case .start, .lease, .replay, .snapshot, .filesChanged, .reconnected, .configure, .clockJumped, .tick: []
        }
    }
}

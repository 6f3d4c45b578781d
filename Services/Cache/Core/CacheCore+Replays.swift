// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import RefreshRules
import ServiceEngine
import WidgetSchema

/// The handling of replay and snapshot requests.
extension CacheCore {
    mutating func replay(
        _ requester: RequesterID,
        _ request: ReplayRequest<Refreshed>,
        now: Instant
    ) -> [CacheAction] {
        var actions: [CacheAction] = []
        for (widget, from) in request.from.sorted(by: { $0.key < $1.key }) {
            guard let record = state.widgets[widget], Replay.asksBeyond(head: record.head, from: from) else { continue }
            actions += [.count(.replaysBeyondHead)] + consumerIsAhead(of: widget, from: from, now: now)
        }
        return actions + [.answerReplay(requester, from: request.from)]
    }

    mutating func snapshot(_ requester: RequesterID, _ request: SnapshotRequest<Refreshed>) -> [CacheAction] {
        guard let asked = request.widgets else {
            return [.answerSnapshot(requester, index.widgets(after: request.after))]
        }
        let known = Set(asked).filter { id in
            state.widgets[id] != nil && request.after.map { id > $0 } ?? true
        }
        return [.answerSnapshot(requester, known.sorted()[...])]
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import RefreshRules
import ServiceEngine
import WidgetSchema

/// Replays and snapshots.
extension CacheCore {
    mutating func replay(
        _ asker: AskerToken,
        _ request: ReplayRequest<Refreshed>,
        now: Instant
    ) -> [CacheAction] {
        var actions: [CacheAction] = []
        for (widget, from) in request.from.sorted(by: { $0.key < $1.key }) {
            guard let record = state.widgets[widget], Replay.asksBeyond(head: record.head, from: from) else { continue }
            actions += [.count(.replaysBeyondHead)] + raiseAlarm(widget, askedFrom: from, now: now)
        }
        return actions + [.answerReplay(asker, from: request.from)]
    }

    mutating func snapshot(_ asker: AskerToken, _ request: SnapshotRequest<Refreshed>) -> [CacheAction] {
        guard let asked = request.widgets else {
            return [.answerSnapshot(asker, index.widgets(after: request.after))]
        }
        let known = Set(asked).filter { id in
            state.widgets[id] != nil && request.after.map { id > $0 } ?? true
        }
        return [.answerSnapshot(asker, known.sorted()[...])]
    }
}

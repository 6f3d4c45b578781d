// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The handling of snapshot requests.
extension CacheCore {
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

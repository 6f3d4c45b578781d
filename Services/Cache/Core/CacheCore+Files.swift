// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Sources that are files.
extension CacheCore {
    /// Makes file sources due at once, regardless of the result of their last attempt; nil means all file sources.
    mutating func filesChanged(_ paths: Set<String>?, now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = []
        for (id, plan) in sources.inOrder {
            guard let file = plan.request.file, paths?.contains(file) ?? true, var record = state.sources[id] else {
                continue
            }
            guard state.leases[id] == nil else {
                changedWhileRead.insert(id)
                continue
            }
            record.nextAttempt = now
            record.goneSince = nil
            schedule.schedule(id, host: host(of: id), at: now)
            actions.append(save(record, of: id))
        }
        return actions
    }
}

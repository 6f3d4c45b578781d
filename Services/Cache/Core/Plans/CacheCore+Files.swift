// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The handling of sources that are files.
extension CacheCore {
    /// Makes the file sources with these paths due at once, even if their last attempt failed.
    ///
    /// If `paths` is nil, all file sources become due. A source that is being read at this time is read again
    /// afterwards.
    mutating func filesChanged(_ paths: Set<String>?, now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, plan) in sources.inOrder {
            guard let file = plan.address.file, paths?.contains(file) ?? true, var record = state.sources[id] else {
                continue
            }
            guard state.leases[id] == nil else {
                changedWhileRead.insert(id)
                continue
            }
            record.nextAttempt = now
            record.goneSince = nil
            schedule.schedule(id, host: host(of: id), at: now)
            step.writes.append(save(record, of: id))
        }
        return step
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import ServiceEngine
import WidgetSchema

/// Updates that are no longer in memory: lanes request them from the notifier.
extension DeliveryCore {
    /// Requests the next updates of a lane whose queue is empty.
    mutating func replay(_ key: LaneKey, _ step: inout Decisions) {
        guard let lane = lanes[key], lane.hasMore, lane.replay == nil, lane.queue.isEmpty, lane.record.message == nil,
            case .widget(let widget) = key.subject
        else { return }
        replays += 1
        lanes[key]?.replay = replays
        lanes[key]?.hasNewer = false
        step.effects.append(.replay(key, number: replays, widget, from: lane.record.done.next))
    }

    /// Takes the answer to the request for the missed updates of a lane.
    mutating func replayed(_ key: LaneKey, _ records: Records<Update>?, _ step: inout Decisions, now: Instant) {
        guard var lane = lanes[key], let destination = destinations[key.destination] else { return }
        lane.replay = nil
        guard let records else {
            lanes[key] = lane
            wake(key, at: now.advanced(by: limits.replayPause))
            return
        }
        lane.ahead = records.records.last?.offset
        var end = lane.record.done
        var isCut = records.more
        for record in records.records.map(\.coveringNewData) {
            guard let update = StreamedUpdate(record), update.range.sequence > end else { continue }
            guard lane.queue.count < limits.queued else {
                isCut = true
                break
            }
            end = update.range.sequence
            guard destination.plan.refusal(of: record.data) == nil else { continue }
            lane.queue.append(MessageContent(update, for: destination.plan))
        }
        // Updates may have arrived since the notifier answered. An empty answer without newer updates means that they are lost.
        lane.hasMore = (isCut || lane.record.wanted > end) && (end > lane.record.done || lane.hasNewer)
        if destination.plan.mode == .latest { lane.becomeLatest() }
        if lane.next == nil, lane.record.message == nil { lane.record.done = end }
        changes.lanes.insert(key)
        if !lane.hasMore { lane.record.wanted = end }
        lanes[key] = lane
        removeIfUnneeded(key, now: now)
        schedule(key, now: now)
    }
}

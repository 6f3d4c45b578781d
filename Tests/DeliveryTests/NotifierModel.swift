// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// The notifier's stream in memory: it keeps the last updates of each widget.
struct NotifierModel {
    var kept = 64
    /// The displays that updates change; nil for all.
    var changing: [String]?
    /// The cells of boards by their widgets.
    var places: [WidgetID: BoardPlace] = [:]
    private var epoch = 1
    private(set) var events: [Event<Update>] = []
    private var offset: UInt64 = 0
    private(set) var sequences: [WidgetID: UInt64] = [:]

    private func position(_ number: UInt64) -> StreamOffset? {
        StreamEpoch(rawValue: String(repeating: "0", count: 15) + String(epoch, radix: 16))
            .map { StreamOffset(epoch: $0, number: number) }
    }

    mutating func add(
        _ name: String,
        _ shown: String,
        result: UpdateResult,
        reason: Reason,
        at now: Instant
    ) throws -> Event<Update> {
        let widget = try widget(name)
        offset += 1
        let sequence = (sequences[widget] ?? 0) + 1
        sequences[widget] = sequence
        let last = events.last { $0.widget == widget }
        let displays = try ["phone", "wall"].map { (try display($0), try digest(of: shown)) }
        let data = try Update.sample(result, reason) { update in
            let states = displays.map { ($0, DisplayState(digest: $1, height: 10)) }
            update.displays = Dictionary(uniqueKeysWithValues: states)
            if let place = places[widget] {
                let state = DisplayState(digest: try digest(of: shown), height: 10, board: place)
                update.displays[try display("cell-\(name)")] = state
            }
            update.changed = result == .newData ? displays.map(\.0) : []
            if let changing {
                update.changed = try changing.map { try display($0) }
                for (name, state) in last?.data.displays ?? [:] where !update.changed.contains(name) {
                    update.displays[name] = state
                }
            }
            if reason == .removed { (update.displays, update.changed) = ([:], []) }
            update.summary = shown
            let isNewData = last?.data.result == .newData
            update.previousNewData = isNewData ? last?.range?.sequence : last?.data.previousNewData
        }
        let range = SequenceRange(SequenceNumber(sequence))
        let event = Event(
            .update(result, widget),
            widget: widget,
            range: range,
            offset: position(offset),
            time: now,
            data: data
        )
        events.append(event)
        trim(widget)
        return event
    }

    private mutating func trim(_ widget: WidgetID) {
        let own = events.filter { $0.widget == widget }
        guard own.count > kept, let first = own.dropFirst(own.count - kept).first else { return }
        events.removeAll { $0.widget == widget && ($0.offset?.number ?? 0) < (first.offset?.number ?? 0) }
    }

    /// Begins a new epoch, in which only the last update of each widget has a position.
    mutating func beginEpoch() {
        epoch += 1
        offset = 0
        var last: [WidgetID: Event<Update>] = [:]
        for event in events { if let widget = event.widget { last[widget] = event } }
        events = last.values.sorted { ($0.widget?.rawValue ?? "") < ($1.widget?.rawValue ?? "") }.map { event in
            var event = event
            offset += 1
            event.offset = position(offset)
            return event
        }
    }

    var heads: NotifierHeads { NotifierHeads(heads: [:], end: position(offset)) }

    func answer(_ request: UpdateFollower.Request) -> UpdateFollower.Input {
        switch request.body {
        case .snapshot:
            var last: [WidgetID: Event<Update>] = [:]
            for event in events { if let widget = event.widget { last[widget] = event } }
            let records = last.values.sorted { ($0.widget?.rawValue ?? "") < ($1.widget?.rawValue ?? "") }
            return .answer(request, Records(records: records, more: false, end: position(offset)))
        case .updates(let since):
            guard since.epoch == position(0)?.epoch, since.number <= offset else {
                return .failed(request, isUnknown: true)
            }
            var firsts: Set<WidgetID> = []
            for widget in sequences.keys {
                let own = events.filter { $0.widget == widget }
                if let oldest = own.first?.range, oldest.first > 1 { firsts.insert(widget) }
            }
            let records = events.filter { ($0.offset?.number ?? 0) > since.number }.map { event in
                guard let widget = event.widget, firsts.contains(widget),
                    event.range == events.first(where: { $0.widget == widget })?.range
                else { return event }
                return event.covering(from: 1)
            }
            return .answer(request, Records(records: records, more: false, end: position(offset)))
        case .cycles: return .failed(request, isUnknown: false)
        }
    }

    func cycles(of widget: WidgetID, from: SequenceNumber) -> Records<Update> {
        var records = events.filter { $0.widget == widget && ($0.range?.sequence ?? .zero) >= from }
        if let first = records.first, let range = first.range, range.first > from {
            records[0] = first.covering(from: from)
        }
        return Records(records: records, more: false, end: position(offset))
    }
}

extension Event where Payload == Update {
    fileprivate func covering(from first: SequenceNumber) -> Event {
        var event = self
        if let range, let wider = SequenceRange(first: max(1, first), sequence: range.sequence) { event.range = wider }
        return event
    }
}

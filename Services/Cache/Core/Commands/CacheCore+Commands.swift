// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import WidgetSchema

/// The handling of commands and pushes for widgets.
extension CacheCore {
    static let maximumClientBytes = 128

    mutating func command(
        _ requester: RequesterID,
        _ deadlineMilliseconds: Int,
        _ request: CommandRequest,
        now: Instant
    ) -> CacheStep {
        guard (1...Self.maximumClientBytes).contains(request.client.utf8.count) else {
            return refuse(requester, .malformed, "A client's name must have 1 to \(Self.maximumClientBytes) bytes.")
        }
        guard let widget = state.widgets[request.widget], !widget.isRemoved,
            let plan = plan.widgets[request.widget]
        else {
            return refuse(requester, .notFound, "There is no widget '\(request.widget)'.")
        }
        let key = CommandKey(request)
        let deadline = now.advanced(byMilliseconds: Int64(max(deadlineMilliseconds, 0)))
        let waiter = CommandWaiter(requester: requester, key: key, until: deadline)
        if let last = state.commands[key], request.counter <= last.counter {
            return repeated(waiter, last, counter: request.counter, now: now)
        }
        let device: DisplayName?
        do throws(RequestError) {
            device = try self.device(of: request, widget)
        } catch {
            return CacheStep(effects: [.answerError(requester, error)])
        }
        var request = request
        request.display = device
        var step = CacheStep(effects: [.count(.commands)])
        switch request.command {
        case .setExpanded(let expanded):
            step += cycle(request.widget, CycleInput(cause: .interaction), now: now) {
                $0.interaction.setExpanded(expanded, on: device)
            }
        case .performUpdate:
            if mayFetch(plan, after: plan.minimumInterval, now: now) {
                return step + fetch(waiter, request, plan, now: now)
            }
            let advances = device != nil || mayAdvance(widget, plan, now: now)
            let input = CycleInput(cause: .refresh, blockedUntil: endOfPause(for: plan, now: now))
            step += cycle(request.widget, input, now: now) { record in
                guard record.definition.kind.showsOneOfMany, advances else { return }
                record.interaction.advance(among: record.keys, on: device)
                if device == nil { record.advancedAt = now }
            }
        case .nextValue:
            let isMissing = widget.content == nil
            let schedules = isMissing && mayFetch(plan, after: limits.refreshFloor, now: now)
            // A fetch in flight also brings the missing content.
            let isRefreshing = schedules || state.leases[plan.source.id] != nil
            let end = isMissing && !isRefreshing ? endOfPause(for: plan, now: now) : nil
            let input = CycleInput(cause: .interaction, blockedUntil: end)
            step += cycle(request.widget, input, now: now) { record in
                if isMissing {
                    record.isRefreshing = isRefreshing
                } else {
                    record.interaction.advance(among: record.keys, on: device)
                }
            }
            if isRefreshing { refreshingWidgets.insert(request.widget) }
            if schedules { step += makeDue(plan, now: now) }
        case .refresh:
            if mayFetch(plan, after: limits.refreshFloor, now: now) {
                return step + fetch(waiter, request, plan, now: now)
            }
            let input = CycleInput(cause: .refresh, blockedUntil: endOfPause(for: plan, now: now))
            step += cycle(request.widget, input, now: now)
        }
        let sequence = state.widgets[request.widget]?.head ?? .zero
        step.writes.append(remember(key, CommandRecord(counter: request.counter, sequence: sequence, at: now)))
        step.effects.append(.answerCycle(requester, CycleAnswer(widget: request.widget, sequence: sequence)))
        return step
    }

    /// Stores pushed content and makes one cycle, even if the content is the same as before.
    ///
    /// A repeated push, whose counter was already used, makes no cycle.
    mutating func push(
        _ requester: RequesterID,
        _ request: PushRequest,
        _ pushed: EncodedContent,
        now: Instant
    ) -> CacheStep {
        guard let widget = state.widgets[request.widget], !widget.isRemoved, let plan = plan.widgets[request.widget]
        else {
            return refuse(requester, .notFound, "There is no widget '\(request.widget)'.")
        }
        guard request.content.kind == plan.definition.kind else {
            let (kind, pushed) = (plan.definition.kind.rawValue, request.content.kind.rawValue)
            return refuse(
                requester,
                .refused,
                "Widget '\(request.widget)' has the kind \(kind), but the pushed content has the kind \(pushed)."
            )
        }
        let faults = request.content.faults
        guard faults.isEmpty else { return refuse(requester, .malformed, faults.joined(separator: "\n")) }
        let key = CommandKey(request)
        if let last = state.commands[key], request.counter <= last.counter {
            if request.counter == last.counter, let body = request.bodyDigest, let known = last.bodyDigest,
                body != known
            {
                let text =
                    "This client has already used counter \(request.counter) with another body; use a higher counter."
                return refuse(requester, .reused, text)
            }
            let waiter = CommandWaiter(requester: requester, key: key, until: now)
            return repeated(waiter, last, counter: request.counter, now: now)
        }
        let (content, encoded): (Content, EncodedContent)
        do throws(RequestError) {
            (content, encoded) = try adapted(request, pushed, by: plan.parsing, now: now)
        } catch {
            return CacheStep(effects: [.answerError(requester, error)])
        }
        if case .documents(let list) = content {
            state.documents[request.widget] = ShownDocuments(digest: encoded.digest, content: list)
        }
        let isNew = widget.content?.digest != encoded.digest
        var step = CacheStep(writes: isNew ? [.storeContent(encoded.digest, encoded.bytes)] : [])
        let input = CycleInput(
            cause: .push,
            outcome: isNew ? .changed : .sameContent,
            content: isNew ? SourceRecord.StoredContent(digest: encoded.digest, date: now, keys: content.keys) : nil,
            parsing: plan.parsing,
            bytes: isNew ? encoded.bytes : nil
        )
        step += cycle(request.widget, input, now: now) { record in
            record.hasContent = request.hasContent
            record.lastSuccess = LastSuccess(at: now)
            record.failure = nil
        }
        if isNew { step.writes.append(.trimContents(plan.source.id, [request.widget], added: encoded.bytes.count)) }
        let sequence = state.widgets[request.widget]?.head ?? .zero
        let record = CommandRecord(
            counter: request.counter,
            sequence: sequence,
            at: now,
            bodyDigest: request.bodyDigest
        )
        step.writes.append(remember(key, record))
        let answer = CycleAnswer(widget: request.widget, sequence: sequence)
        step.effects += [.count(.pushes), .answerCycle(requester, answer)]
        return step
    }

    /// Returns the name of the device that `request.display` selects; nil if `request.display` is nil.
    ///
    /// `request.display` is the name of a device, or of one of a device's displays (compact and expanded). Throws if
    /// this device or display does not show the widget.
    private func device(of request: CommandRequest, _ widget: WidgetRecord) throws(RequestError) -> DisplayName? {
        guard let display = request.display else { return nil }
        let shown = widget.displays.first { $0.name == display } ?? widget.displays.first { $0.device == display }
        guard let shown else {
            let names = Set(widget.displays.map(\.device)).sorted().map(\.rawValue).joined(separator: ", ")
            throw RequestError(
                .notFound,
                "Widget '\(request.widget)' is not shown on display '\(display)'; it is on: "
                    + "\(names.isEmpty ? "none" : names)."
            )
        }
        return shown.device
    }

    /// Returns whether the widget's source may be fetched now.
    ///
    /// This requires that the source is not pushed, that the duration `interval` has passed since its last attempt, and
    /// that no pause lasts.
    private func mayFetch(_ plan: WidgetPlan, after interval: Duration, now: Instant) -> Bool {
        guard !plan.source.isPushed, endOfPause(for: plan, now: now) == nil else { return false }
        return Self.isOver(interval, since: state.sources[plan.source.id]?.lastAttempt, now: now)
    }

    /// Returns whether `performUpdate` without a display and without a fetch may show the next value on all displays.
    ///
    /// This requires that `minimumInterval` has passed since the last attempt and since the last time that it did so.
    private func mayAdvance(_ widget: WidgetRecord, _ plan: WidgetPlan, now: Instant) -> Bool {
        [state.sources[plan.source.id]?.lastAttempt, widget.advancedAt].allSatisfy {
            Self.isOver(plan.minimumInterval, since: $0, now: now)
        }
    }

    /// Returns whether a duration has passed since `last`; true if there is no such time.
    private static func isOver(_ interval: Duration, since last: Instant?, now: Instant) -> Bool {
        guard let last else { return true }
        // A time in the future was noted before the clock was set back.
        return now >= last.advanced(by: interval) || last > now
    }

    /// Returns the end of the pause that the host of a widget's source, or the last answer to the source, has asked for;
    /// nil if no pause lasts.
    private func endOfPause(for plan: WidgetPlan, now: Instant) -> Instant? {
        guard !plan.source.isPushed else { return nil }
        let blocked = schedule.record(of: host(of: plan.source.id)).blockedUntil
        return [blocked, state.sources[plan.source.id]?.notBefore].compactMap { $0 }.filter { $0 > now }.max()
    }

    private mutating func fetch(
        _ waiter: CommandWaiter,
        _ request: CommandRequest,
        _ plan: WidgetPlan,
        now: Instant
    ) -> CacheStep {
        var step = makeDue(plan, now: now)
        guard !step.writes.isEmpty else { return CacheStep() }
        if request.command == .performUpdate, plan.definition.kind.showsOneOfMany,
            var widget = state.widgets[request.widget]
        {
            widget.requestAdvance(on: request.display)
            state.widgets[request.widget] = widget
            step.writes.append(.saveWidget(request.widget, widget))
        }
        waiting.byWidget[request.widget, default: []].insert(waiter.key)
        step.writes.append(remember(waiter.key, CommandRecord(counter: request.counter, sequence: nil, at: now)))
        return step + add(waiter, now: now)
    }

    private mutating func makeDue(_ plan: WidgetPlan, now: Instant) -> CacheStep {
        let source = plan.source.id
        guard var record = state.sources[source] else { return CacheStep() }
        record.nextAttempt = earliestAttempt(of: record, now: now)
        // A new core schedules no source that is gone.
        record.goneSince = nil
        demand(&record, of: source)
        let step = CacheStep(writes: [save(record, of: source)])
        scheduleNext(of: source, record)
        return step
    }

    /// Handles a command or push whose counter is not higher than the last one of its client for the widget.
    ///
    /// A lower counter is rejected. An equal counter means that the last command or push was repeated. If that one is
    /// complete, its answer is sent again; otherwise, the requester waits until it is complete.
    private mutating func repeated(
        _ waiter: CommandWaiter,
        _ last: CommandRecord,
        counter: UInt64,
        now: Instant
    ) -> CacheStep {
        guard counter == last.counter else {
            return refuse(
                waiter.requester,
                .refused,
                "Counter \(counter) is lower than the last one, \(last.counter); use a higher counter."
            )
        }
        guard let sequence = last.sequence else { return add(waiter, now: now) }
        let answer = CycleAnswer(widget: waiter.key.widget, sequence: sequence)
        return CacheStep(effects: [.answerCycle(waiter.requester, answer)])
    }

    /// Makes `waiter` wait for its command; rejects `waiter` if too many requesters already wait for this command.
    ///
    /// Before that, drops the requesters that wait for the same command and whose deadline has passed.
    private mutating func add(_ waiter: CommandWaiter, now: Instant) -> CacheStep {
        var waiters = waiting.requesters[waiter.key, default: []]
        let late = CacheStep(effects: waiters.filter { $0.until <= now }.map { .forgetRequester($0.requester) })
        waiters.removeAll { $0.until <= now }
        guard waiters.count < limits.waitersPerCommand else {
            waiting.requesters[waiter.key] = waiters
            return late + CacheStep(effects: [.count(.rejectedWaiters)])
                + refuse(waiter.requester, .refused, "Too many requesters wait for the same command.")
        }
        waiters.append(waiter)
        waiting.requesters[waiter.key] = waiters
        return late
    }

    /// Answers the commands that were waiting for a cycle of a widget; called after the cycle was made.
    mutating func finishCommands(on widget: WidgetID) -> CacheStep {
        guard let keys = waiting.byWidget.removeValue(forKey: widget), let head = state.widgets[widget]?.head else {
            return CacheStep()
        }
        var step = CacheStep()
        for key in keys.sorted() {
            if var record = state.commands[key], record.sequence == nil {
                record.sequence = head
                step.writes.append(remember(key, record))
            }
            for waiter in waiting.requesters.removeValue(forKey: key) ?? [] {
                step.effects.append(.answerCycle(waiter.requester, CycleAnswer(widget: widget, sequence: head)))
            }
        }
        return step
    }

    /// Forgets the commands that are older than `commandMemory`, and the requesters whose deadline has passed.
    mutating func purgeCommands(now: Instant) -> CacheStep {
        let horizon = now.advanced(by: .zero - limits.commandMemory)
        let old = state.commands.filter { $0.value.at < horizon }.map(\.key).sorted()
        var step = CacheStep()
        for (key, waiters) in waiting.requesters.sorted(by: { $0.key < $1.key }) {
            let late = waiters.filter { $0.until <= now }
            guard !late.isEmpty else { continue }
            step.effects += late.map { .forgetRequester($0.requester) }
            waiting.requesters[key] = late.count == waiters.count ? nil : waiters.filter { $0.until > now }
        }
        guard !old.isEmpty else { return step }
        for key in old {
            state.commands[key] = nil
            waiting.byWidget[key.widget]?.remove(key)
            if waiting.byWidget[key.widget]?.isEmpty == true { waiting.byWidget[key.widget] = nil }
            step.effects += (waiting.requesters.removeValue(forKey: key) ?? []).map { .forgetRequester($0.requester) }
        }
        step.writes.append(.forgetCommands(before: horizon))
        return step
    }

    private mutating func remember(_ key: CommandKey, _ record: CommandRecord) -> CacheWrite {
        state.commands[key] = record
        return .saveCommand(key, record)
    }

    private func refuse(_ requester: RequesterID, _ code: RequestError.Code, _ message: String) -> CacheStep {
        CacheStep(effects: [.answerError(requester, RequestError(code, message))])
    }
}

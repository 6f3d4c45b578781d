// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import ServiceEngine
import WidgetSchema

/// Answers to questions, and the report of the state.
extension DeliveryCore {
    // MARK: Questions

    func answer(_ request: DeliveriesRequest, now: Instant) -> DeliveriesAnswer {
        var left = DeliveriesAnswer.maximumSubjects
        var isCut = false
        let names = reportedNames(request)
        isCut = names.count > left
        let reports = names.prefix(left).compactMap { name -> DestinationReport? in
            guard let destination = destinations[name] else { return nil }
            var ofSubjects: [DeliveryReport] = []
            if let widget = request.widget {
                ofSubjects = [report(of: widget, request.cycle, to: destination, now: now)]
            } else {
                let keys = index[name]
                ofSubjects = keys.prefix(left).compactMap { key in
                    lanes[key].map { report($0, of: key, destination, now: now) }
                }
                isCut = isCut || keys.count > ofSubjects.count
                // The messages of a shared budget count once.
                if destination.plan.sharesBudget {
                    for number in ofSubjects.indices.dropFirst() {
                        (ofSubjects[number].spent, ofSubjects[number].left) = (nil, nil)
                    }
                }
            }
            left -= ofSubjects.count
            return DestinationReport(
                destination: name,
                kind: destination.plan.kind,
                perDay: destination.plan.budget?.perDay,
                problem: problem(of: destination, now: now),
                delivered: destination.record.counts.delivered,
                savedByNoData: destination.record.counts.noData,
                savedByMerging: destination.record.counts.merged,
                subjects: ofSubjects
            )
        }
        return DeliveriesAnswer(destinations: reports, more: isCut)
    }

    /// Returns the destinations of an answer: those of the configuration first, then devices, of which there may be many.
    private func reportedNames(_ request: DeliveriesRequest) -> [DestinationName] {
        var configured: [DestinationName] = []
        var devices: [DestinationName] = []
        for (name, destination) in destinations {
            if deviceIDs[name] == nil {
                configured.append(name)
            } else if request.widget.map({ destination.plan.follows($0) }) ?? true {
                devices.append(name)
            }
        }
        return configured.sorted() + devices.sorted()
    }

    /// Returns what became of an update of a widget or, if `cycle` is nil, the present state.
    private func report(
        of widget: WidgetID,
        _ cycle: DeliveriesRequest.Cycle?,
        to destination: Destination,
        now: Instant
    ) -> DeliveryReport {
        let key = LaneKey(destination: destination.plan.name, subject: .widget(widget))
        func none(_ reason: String) -> DeliveryReport { DeliveryReport(widget: widget, state: .none, reason: reason) }
        guard destination.plan.follows(widget) else { return none("The destination does not follow this widget.") }
        guard let cycle else {
            guard let lane = lanes[key] else { return none("No message was sent or waits.") }
            return report(lane, of: key, destination, now: now)
        }
        let refusal = destination.plan.refusal(
            result: cycle.result,
            reason: cycle.reason,
            changed: cycle.changed,
            displays: cycle.displays
        )
        guard let lane = lanes[key] else {
            return none(refusal.map(Self.sentence) ?? "No message was sent: the destination is newer than the update.")
        }
        if let message = lane.record.message, message.content.covers(cycle.sequence) {
            return report(lane, of: key, destination, now: now)
        }
        if lane.record.pending?.covers(cycle.sequence) == true
            || lane.queue.contains(where: { $0.covers(cycle.sequence) })
        {
            return report(lane, of: key, destination, now: now)
        }
        if let refusal { return none(Self.sentence(refusal)) }
        if let finished = lane.record.history.last(where: { $0.covers(cycle.sequence) }) {
            return report(finished, of: key, cycle.sequence, now: now)
        }
        if lane.hasMore, cycle.sequence > lane.record.done { return report(lane, of: key, destination, now: now) }
        if lane.record.done < cycle.sequence, cycle.sequence <= lane.record.wanted {
            return none("Not sent: a later change took it back.")
        }
        return none("The message is no longer remembered, or the destination is newer than the update.")
    }

    private static func sentence(_ refusal: String) -> String { "Not sent: \(refusal)." }

    private func report(
        _ finished: FinishedMessage,
        of key: LaneKey,
        _ sequence: SequenceNumber,
        now: Instant
    ) -> DeliveryReport {
        var reason = "Accepted at \(finished.at)"
        if let rejection = finished.rejection { reason = "Rejected at \(finished.at): \(rejection)" }
        if finished.last > sequence { reason += ", as a part of cycle \(finished.last.number)" }
        reason += finished.isSpent ? "; it cost 1 message of the budget." : "."
        var report = DeliveryReport(
            widget: key.widget,
            board: key.board,
            state: finished.rejection == nil ? .delivered : .rejected,
            reason: reason,
            attempts: finished.attempts
        )
        addBudget(of: key, to: &report, now: now)
        return report
    }

    private func report(_ lane: Lane, of key: LaneKey, _ destination: Destination, now: Instant) -> DeliveryReport {
        let isNew = lane.record.digests == nil && lane.record.boardDigest == nil
        let reason = isNew ? "Nothing was sent yet." : "No message is remembered."
        var report = DeliveryReport(widget: key.widget, board: key.board, state: .none, reason: reason)
        if let gone = destination.record.gone {
            report.reason = "The destination no longer exists: \(gone)"
            if lane.record.message != nil || lane.next != nil { report.state = .waiting }
        } else if let message = lane.record.message {
            report.attempts = message.attempts
            report.state = lane.isInFlight ? .sending : .retrying
            let failure = message.problem.map { "Attempt \(message.attempts) failed: \($0)" }
            report.reason = failure ?? "An attempt is in flight."
            if !lane.isInFlight { report.next = lane.timer ?? message.nextAttempt }
        } else if lane.next != nil || lane.hasMore {
            report.state = .waiting
            report.reason = isCaughtUp ? "An update waits." : "An update waits until the missed updates are known."
            report.next = lane.timer
            if let until = destination.record.blockedUntil, until > now {
                report.reason = "An update waits, because the destination asked for a pause."
            } else if lane.timer != nil {
                report.reason = "An update waits for the budget."
            }
        } else if let finished = lane.record.history.last(where: { _ in true }) {
            return self.report(finished, of: key, finished.last, now: now)
        }
        addBudget(of: key, to: &report, now: now)
        return report
    }

    private func addBudget(of key: LaneKey, to report: inout DeliveryReport, now: Instant) {
        guard let destination = destinations[key.destination], let budget = destination.plan.budget,
            let lane = lanes[key]
        else { return }
        let ledger = ledger(of: lane, destination)
        report.spent = ledger.spent(now: now)
        report.left = ledger.left(budget, isHigh: false, restored: restored, now: now)
        let next = ledger.next(budget, isHigh: false, restored: restored, now: now)
        if report.next == nil, next > now { report.next = next }
    }

    /// Returns the reason why nothing can be sent to a destination at present; nil if there is none.
    private func problem(of destination: Destination, now: Instant) -> String? {
        if let gone = destination.record.gone { return "It no longer exists: \(gone)" }
        if let until = servers[destination.plan.server]?.breaker.openUntil {
            return "The server failed repeatedly; the next attempt is at \(until)."
        }
        if let until = destination.record.blockedUntil, until > now { return "It asked for a pause until \(until)." }
        return nil
    }

    // MARK: Report

    /// Returns the report of the state; nil if none is due.
    mutating func takeReport(now: Instant) -> DeliveryEffect.Report? {
        guard changes.isReportDue else { return nil }
        if let nextReport, nextReport > now { return nil }
        nextReport = now.advanced(by: limits.reportInterval)
        changes.isReportDue = false
        var report = DeliveryEffect.Report()
        report.lanes = lanes.count
        report.devices = devices.devices.count
        report.inFlight = inFlight
        report.openServers = servers.values.count { $0.breaker.isOpen }
        (report.waiting, report.spent, report.left) = (index.waiting.count, index.spent, index.left)
        var failing: [DestinationName: Instant] = [:]
        for key in index.failing {
            guard let since = lanes[key]?.record.failingSince else { continue }
            failing[key.destination] = min(failing[key.destination] ?? since, since)
        }
        report.problems = problems(failing, now: now)
        guard report != lastReport else { return nil }
        lastReport = report
        return report
    }

    /// Returns the problems of destinations, the first ones of many; `failing` has the time of each one's first failure.
    private func problems(_ failing: [DestinationName: Instant], now: Instant) -> [String] {
        var problems: [String] = []
        var devices = 0
        let gone = destinations.filter { $0.value.record.gone != nil }.map(\.key)
        for name in Set(gone).union(failing.keys).sorted() {
            let since = failing[name].flatMap { $0.advanced(by: limits.problemAfter) <= now ? $0 : nil }
            if let gone = destinations[name]?.record.gone {
                problems.append("The destination '\(name)' no longer exists: \(gone)")
            } else if since != nil, deviceIDs[name] != nil {
                devices += 1
            } else if let since {
                problems.append("The destination '\(name)' has accepted nothing since \(since)")
            }
        }
        if problems.count > limits.reportedProblems {
            let more = problems.count - limits.reportedProblems
            problems = problems.prefix(limits.reportedProblems) + ["\(more) more destinations have problems"]
        }
        if devices > 0 { problems.append("\(devices) devices have accepted nothing for an hour") }
        return problems
    }
}

extension MessageContent {
    fileprivate func covers(_ sequence: SequenceNumber) -> Bool { first <= sequence && sequence <= last }
}

extension LaneKey {
    var widget: WidgetID? { if case .widget(let id) = subject { id } else { nil } }
    var board: BoardID? { if case .board(let id) = subject { id } else { nil } }
}

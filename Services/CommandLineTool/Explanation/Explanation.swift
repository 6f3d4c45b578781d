// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

/// The events of all services about one cycle, shown as lines of text or as JSON.
///
/// Events that are nil are omitted from the JSON.
struct Explanation: Encodable, Sendable {
    /// The number of hexadecimal digits to which a shown digest is cut.
    ///
    /// This is nearly always enough to distinguish the digests of one widget.
    static let digestDigits = 8

    var update: Event<Update>
    /// The previous update of the same widget; nil if it is not stored.
    var previous: Event<Update>?
    /// The cache's event about the cycle; nil if the cache does not store the event or is unreachable.
    var committed: Event<Refreshed>?
    /// The layout service's event about the cycle; nil if the service could not provide the event.
    var laidOut: Event<LaidOut>?
    /// The planned fetch of the widget's source; nil if it is unknown, or if the content is pushed.
    var fetch: AnnouncedFetch?
    /// The fate of the update at each destination; nil if there are none, or if the service delivery did not answer.
    var deliveries: [DestinationReport]?
    /// A Boolean value that indicates whether the cycle is the widget's last one.
    var isLast = false
    let style: TextStyle

    private enum CodingKeys: String, CodingKey {
        case update, previous, laidOut, fetch, deliveries
        case committed = "refreshed"
    }

    /// The explanation as lines of text, each with its newline.
    var text: String {
        let sequence = update.range.map { " cycle \($0.sequence.number)" } ?? ""
        let rows = (head + hops + verdict + displays + deliveryRows).map {
            (name: $0, value: MessagePrinter.printable($1))
        }
        return style.text((update.subject ?? "") + sequence, .strong) + "\n" + style.rows(rows, indent: 2)
    }

    private typealias Row = (name: String, value: String)

    private var head: [Row] {
        var rows: [Row] = [("because", "\(update.data.cause.words) (\(update.data.cause.rawValue))")]
        if let committed = committed?.data {
            if committed.interaction.expanded { rows.append(("state", "expanded by \"Show more\"")) }
            if let bringer = committed.contentSequence {
                let isThis = bringer == update.range?.sequence
                var text = isThis ? "introduced by this cycle" : "introduced by cycle \(bringer.number)"
                if let date = committed.contentDate { text += ", dated \(date)" }
                rows.append(("content", text))
            } else {
                rows.append(("content", "none yet"))
            }
        }
        return rows
    }

    // MARK: Hops

    /// The rows for the steps of the cycle, from the origin's answer to the verdict.
    ///
    /// Each row has the time of a step, and the rounded duration since the previous step.
    private var hops: [Row] {
        let times = update.data.times
        let hasAttempt = times.answered != nil || update.data.outcome == .failed
        var rows: [Row] = hasAttempt ? [] : [("answered", "no request was made (\(update.data.outcome.rawValue))")]
        let isFileMissing = committed?.data.isMissing == true
        let isAnswered = !isFileMissing && (update.data.outcome != .failed || update.data.failure?.hasAnswer == true)
        var before: Instant?
        let steps: [(String, Instant?, String)] = [
            isAnswered
                ? ("answered", times.answered, "by the origin: \(update.data.outcome.rawValue)")
                : (
                    "attempted", times.answered,
                    "by the fetcher, \(isFileMissing ? "no such file" : "without an answer")"
                ),
            ("committed", times.committed, "by the cache"),
            ("laid out", times.laidOut, laidOut.map { "by layout, engine \($0.data.engine.version)" } ?? "by layout"),
            ("decided", times.decided, "by the notifier"),
        ]
        for (name, instant, who) in steps {
            guard let instant else { continue }
            let pause = before.map { "  +\(Duration.milliseconds(instant.milliseconds(since: $0)).roundedText)" } ?? ""
            rows.append((name, "\(instant)\(pause)  \(who)"))
            before = instant
        }
        return rows
    }

    private var verdict: [Row] {
        let data = update.data
        let pushedWidget = committed?.data.isPushed == true ? update.widget : nil
        let words = data.words(pushedWidget: pushedWidget, isFileMissing: committed?.data.isMissing == true)
        var rows: [Row] = [("verdict", "\(data.result.rawValue) (\(data.reason.rawValue)): \(words)")]
        if let failure = data.failure {
            let status = failure.status.map { " (status \($0))" } ?? ""
            rows.append(("failure", "\(failure.class.rawValue)\(status): \(failure.message)"))
        }
        if let fetch {
            rows.append(("next attempt", fetch.words))
        } else if let next = data.failure?.nextAttempt {
            rows.append(("next attempt", isLast ? "\(next)" : "planned for \(next) then"))
        }
        if isLast, let change = data.displays.values.compactMap(\.nextChange).min() {
            rows.append(("next certain change", change > .now ? "\(change)" : "due since \(change)"))
        }
        if data.result != .newData, let last = data.previousNewData {
            rows.append(("last newData", "cycle \(last.number)"))
        }
        return rows
    }

    // MARK: Deliveries

    private var deliveryRows: [Row] {
        (deliveries ?? []).flatMap { report in
            report.subjects.map { ("delivery", "\(report.destination)  \(BudgetCommand.line($0))") }
        }
    }

    // MARK: Displays

    private var displays: [Row] {
        let states = update.data.displays.sorted { $0.key < $1.key }
        let width = states.map(\.key.rawValue.count).max() ?? 0
        return states.map { name, state in
            let padded = name.rawValue + String(repeating: " ", count: width - name.rawValue.count)
            let isChanged = update.data.changed.contains(name)
            let now = state.digest.rawValue.prefix(Self.digestDigits)
            var digests = String(now)
            if isChanged, let before = previous?.data.displays[name]?.digest {
                digests = "\(before.rawValue.prefix(Self.digestDigits)) -> \(now)"
            }
            let mark = isChanged ? "changed  " : "unchanged"
            let last = state.changed.map { isChanged ? "" : ", last changed \($0)" } ?? ""
            return ("display", "\(padded)  \(mark)  \(digests)  \(UpdateReport.points(state.height)) high\(last)")
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceRuntime
import WebServer
import WidgetSchema

/// The routes that read widgets.
struct WidgetRoutes: Sendable {
    static let nextChangeHeader = Operation.Header.nextChange.rawValue
    static let nextCertainChangeHeader = Operation.Header.nextCertainChange.rawValue
    static let sequenceHeader = Operation.Header.sequence.rawValue
    static let pageLimits = 1...1000
    static let defaultPage = 100

    let gateway: GatewayParts

    /// The pattern of widget ids and display names in the OpenAPI description.
    static let namePattern = "^[a-z0-9][a-z0-9-]{0,62}$"
    /// The pattern of sequence numbers in the OpenAPI description.
    ///
    /// It allows numbers without leading zeros, and the 20-digit form that events contain. In the 20-digit form, the
    /// first 7 digits are zeros, because sequence numbers begin at a Unix time in milliseconds, which has 13 digits.
    private static let sequencePattern = "^([1-9][0-9]{0,18}|0{7}[1-9][0-9]{12})$"

    var routes: [Route] {
        [
            Route(
                path: "/v1/widgets",
                id: "listWidgets",
                summary: "A page of the widgets, in the order of their ids.",
                parameters: [
                    .query("kind", .choice(of: WidgetKind.self), "Only widgets of this kind."),
                    .query("result", .choice(of: UpdateResult.self), "Only widgets whose last update has this result."),
                    .query("display", .string(pattern: Self.namePattern), "Only widgets with this display."),
                    .query("limit", .integer(Self.pageLimits), "The maximum number of widgets in a page."),
                    .query("cursor", .string(pattern: Self.namePattern), "The value of `next` in the previous page."),
                ],
                responses: [.ok("A page.", schema: "WidgetList", headers: [.cacheControl, .link])],
                handle: list
            ),
            Route(
                path: "/v1/widgets/{widget}",
                id: "getWidget",
                summary: "A widget with its last verdict.",
                responses: [.ok("The widget.", schema: "WidgetDocument")],
                handle: { call throws(Problem) in
                    let update = try gateway.latest(try call.widget())
                    return .now(try .json(WidgetDocument(update, gateway: gateway, now: .now)))
                }
            ),
            Route(
                path: "/v1/widgets/{widget}/displays",
                id: "listDisplays",
                summary: "The displays of a widget.",
                responses: [.ok("The displays.", schema: "DisplayList")],
                handle: { call throws(Problem) in
                    let update = try gateway.latest(try call.widget())
                    let list = DisplayList(
                        widget: update.widget,
                        sequence: update.range.sequence,
                        displays: WidgetDocument.displays(update, gateway: gateway, now: .now)
                    )
                    return .now(try .json(list))
                }
            ),
            Route(
                path: "/v1/widgets/{widget}/displays/{display}/timeline",
                id: "getTimeline",
                summary: "The current layout, and the layouts at the next times when the widget changes.",
                responses: [.ok("The timeline.", schema: "Timeline")],
                handle: timeline
            ),
            Route(
                path: "/v1/widgets/{widget}/history",
                id: "getHistory",
                summary: "The stored updates of a widget.",
                parameters: [
                    .query("from", .string(pattern: Self.sequencePattern), "The sequence number to begin at.")
                ],
                responses: [.ok("The updates, the oldest first.", schema: "History")],
                handle: history
            ),
            Route(
                path: "/v1/widgets/{widget}/explain",
                id: "explainCycle",
                summary: "The reason for the verdict on a cycle.",
                parameters: [
                    .query(
                        "sequence",
                        .string(pattern: Self.sequencePattern),
                        "The sequence number of the cycle; the last cycle if absent."
                    )
                ],
                responses: [.ok("The explanation.", schema: "CycleExplanation")],
                handle: explain
            ),
        ]
    }

    @Sendable private func list(_ call: Call) throws(Problem) -> WebAnswer {
        let kind: WidgetKind? = try call.choice("kind")
        let result: UpdateResult? = try call.choice("result")
        let limit = try call.integer("limit", in: Self.pageLimits) ?? Self.defaultPage
        var display: DisplayName?
        if let text = call.request.query("display") {
            guard let name = DisplayName(rawValue: text) else { throw .badParameter("display", DisplayName.rule) }
            display = name
        }
        var after: WidgetID?
        if let text = call.request.query("cursor") {
            guard let widget = WidgetID(rawValue: text) else {
                throw .badParameter("cursor", "the cursor must be the value of 'next' in an earlier answer.")
            }
            after = widget
        }
        let (updates, more) = gateway.view.page(after: after, limit: limit) { update in
            (kind == nil || gateway.live.widget(update.widget)?.definition.kind == kind)
                && (result == nil || update.event.data.result == result)
                && (display.map { update.event.data.displays[$0] != nil } ?? true)
        }
        let now = Instant.now
        let next = more ? updates.last?.widget.rawValue : nil
        let page = WidgetList(widgets: updates.map { WidgetDocument($0, gateway: gateway, now: now) }, next: next)
        var headers: [WebHeader] = []
        if let next {
            // The values were validated above, so none contains a character that must be encoded in a URL.
            var query = ["cursor=\(next)", "limit=\(limit)"]
            if let kind { query.append("kind=\(kind.rawValue)") }
            if let result { query.append("result=\(result.rawValue)") }
            if let display { query.append("display=\(display)") }
            let address = "\(gateway.access.basePath)/v1/widgets?\(query.joined(separator: "&"))"
            headers.append(WebHeader("Link", "<\(address)>; rel=\"next\""))
        }
        return .now(try .json(page, headers: headers))
    }

    @Sendable private func timeline(_ call: Call) throws(Problem) -> WebAnswer {
        let request = TimelineRequest(widget: try call.widget(), display: try call.display())
        _ = try gateway.latest(request.widget)
        return .async(call) { () throws(Problem) in
            var timeline = try await gateway.ask(.layout, request, timeout: GatewayParts.renderTimeout).result
            for index in timeline.entries.indices { gateway.links.apply(to: &timeline.entries[index].layout) }
            return try .json(timeline)
        }
    }

    /// Requests a page of a widget's stored updates from the notifier.
    ///
    /// The page contains the updates from the sequence number `from` on, in ascending order. Its `more` is true if the
    /// notifier stores further updates after the last update of the page.
    private func updates(_ widget: WidgetID, from: SequenceNumber) async throws(Problem) -> Records<Update> {
        try await gateway.ask(.notifier, ReplayRequest<Update>(from: [widget: from])).result
    }

    @Sendable private func history(_ call: Call) throws(Problem) -> WebAnswer {
        let widget = try call.widget()
        let from = try call.sequence("from") ?? 1
        let latest = try gateway.latest(widget)
        guard from <= latest.range.sequence else {
            throw .notFound(
                "Widget '\(widget)' has no cycle \(from.number); its latest cycle is \(latest.range.sequence.number)."
            )
        }
        return .async(call) { () throws(Problem) in
            let page = try await updates(widget, from: from)
            let next = page.more ? page.records.last?.range?.sequence.next : nil
            return try .json(UpdatesPage(widget: widget, updates: page.records, next: next))
        }
    }

    @Sendable private func explain(_ call: Call) throws(Problem) -> WebAnswer {
        let widget = try call.widget()
        let latest = try gateway.latest(widget)
        let sequence = try call.sequence("sequence") ?? latest.range.sequence
        guard sequence <= latest.range.sequence else {
            throw .notFound(
                "Widget '\(widget)' has no cycle \(sequence.number); its latest cycle is "
                    + "\(latest.range.sequence.number)."
            )
        }
        return .async(call) { () throws(Problem) in
            let records = try await updates(widget, from: max(1, sequence.previous)).records
            guard let update = records.first(where: { $0.range.map { $0.sequence >= sequence } ?? false }) else {
                throw .notFound("The notifier no longer stores cycle \(sequence.number) of widget '\(widget)'.")
            }
            let previous = records.last { record in
                guard let range = record.range, let own = update.range else { return false }
                return range.sequence < own.first
            }
            let cycle = update.range?.sequence ?? sequence
            async let committed = record(Refreshed.self, cycle, of: widget, at: .cache)
            async let laidOut = record(LaidOut.self, cycle, of: widget, at: .layout)
            var explanation = CycleExplanation(
                widget: widget,
                update: update,
                previous: previous,
                committed: await committed,
                laidOut: await laidOut
            )
            let changes = gateway.nextChanges(latest, now: .now)
            (explanation.nextAttempt, explanation.nextCertainChange) = (changes.attempt, changes.certain)
            return try .json(explanation)
        }
    }

    /// Returns the event that a service has for one cycle of a widget.
    ///
    /// `sequence` is the sequence number of the cycle. Returns nil if the service does not have this cycle, or does not
    /// answer.
    private func record<Payload: EventPayload>(
        _ type: Payload.Type,
        _ sequence: SequenceNumber,
        of widget: WidgetID,
        at service: ServiceName
    ) async -> Event<Payload>? {
        let request = ReplayRequest<Payload>(from: [widget: sequence])
        let page = try? await gateway.ask(service, request).result
        guard let record = page?.records.first, record.range?.sequence == sequence else { return nil }
        return record
    }
}

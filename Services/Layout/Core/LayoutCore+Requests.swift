// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// Requests to this service: replays, layouts, pictures and timelines.
extension LayoutCore {
    mutating func requested(
        _ id: RequesterID,
        _ clientRequest: LayoutInput.ClientRequest,
        deadline: Instant,
        now: Instant
    ) -> [LayoutEffect] {
        guard now < deadline else { return [Self.lateReply(id)] }
        if case .render(let request) = clientRequest, let placeholder = request.placeholder {
            return begin(id, now: now) { _ throws(RequestError) in
                .render(id, request, try Self.variant(of: request, placeholder, now: now), deadline: deadline)
            }
        }
        guard waitingRequests < maximumWaiting else {
            counts.requestsRefused += 1
            let text = "\(maximumWaiting) requests are already waiting for the cache; ask again later."
            return [.refuse(id, RequestError(.failed, text))]
        }
        let left = Duration.milliseconds(deadline.milliseconds(since: now))
        let cacheRequest: LayoutEffect.CacheRequest
        switch clientRequest {
        case .replay(let request): cacheRequest = .replay(ReplayRequest(from: request.from))
        case .render(let request):
            if let sequence = request.sequence {
                cacheRequest = .replay(ReplayRequest(from: [request.widget: sequence]))
            } else {
                cacheRequest = .snapshot(SnapshotRequest(widgets: [request.widget]))
            }
        case .timeline(let request): cacheRequest = .snapshot(SnapshotRequest(widgets: [request.widget]))
        case .preview(let request): return preview(request, for: id, now: now)
        case .board(let request): return [paint(request, for: id, deadline: deadline)]
        }
        waitingRequests += 1
        return [
            ask(
                cacheRequest,
                for: .request(id, clientRequest, deadline: deadline),
                timeout: max(left - Self.replyMargin, .milliseconds(1))
            )
        ]
    }

    /// Returns the job that lays out one page of a replay from the cache.
    ///
    /// `frames` are the contents to which the page refers.
    mutating func replay(_ page: Records<Refreshed>, _ frames: [Data], for id: RequesterID) -> Job {
        let others = Self.read(page, frames)
        let records = page.records.filter { $0.widget != nil }.map { event in
            ShownRecord(event: event, shown: shown(by: event.data, others))
        }
        return .replay(id, records, more: page.more)
    }

    /// Returns the answer to a replay request; nil if a drawing of a record is not in ``drawingCache`` yet.
    ///
    /// The answer contains the laid-out cycles of `records`, or only the first ones if all of them would exceed a page.
    /// The argument `more` tells whether the cache has further records. The answer's `more` is true if the cache has
    /// further records, or if the answer lacks cycles of `records`.
    mutating func layOutAgain(
        _ records: [ShownRecord],
        more: Bool,
        now: Instant
    ) -> Answer<Records<LaidOut>>? {
        var laidOut: [LaidOut] = []
        var isComplete = true
        for record in records {
            guard let shown = record.shown else { break }
            if let data = layOut(record.event.data, shown, needsLayouts: false, now: now) {
                laidOut.append(data)
            } else {
                // Continues, so that the missing drawings of all records are ordered and drawn together.
                isComplete = false
            }
        }
        return isComplete ? answer(records, laidOut, more: more, now: now) : nil
    }

    mutating func answer(
        _ records: [ShownRecord],
        _ laidOut: [LaidOut],
        more: Bool,
        now: Instant
    ) -> Answer<Records<LaidOut>> {
        var events: [Event<LaidOut>] = []
        var bytes = 0
        do throws(WireError) {
            for (record, data) in zip(records, laidOut) {
                guard let widget = record.event.widget, let range = record.event.range else { continue }
                let event = Event(.laidOut(widget), widget: widget, range: range, time: now, data: data)
                bytes += try WireJSON.encode(event).count + 1
                // Laid-out records can be larger than the cache's records: the requester asks for those that exceed the
                // page.
                if bytes > MessageLimits.page, !events.isEmpty {
                    return .result(Records(records: events, more: true))
                }
                events.append(event)
                counts.replayed += 1
            }
        } catch {
            return .error(RequestError(.failed, "A record cannot be sent: \(error)."))
        }
        if laidOut.count < records.count, let widget = records[laidOut.count].event.widget {
            return .error(Self.lacks(widget, records[laidOut.count].event.range?.sequence ?? .zero))
        }
        return .result(Records(records: events, more: more))
    }

    /// Returns the reply with the layout, or the effect that paints the picture; nil if the layout must be drawn first.
    mutating func render(
        _ request: RenderRequest,
        _ variant: Variant,
        for id: RequesterID,
        deadline: Instant
    ) -> LayoutEffect? {
        let moment = WidgetMoment(variant.refreshed)
        guard let drawing = drawingCache.drawings(of: variant.shown, at: moment, on: [variant.display])?.first else {
            return nil
        }
        var answer = RenderAnswer(
            widget: request.widget,
            display: request.display,
            sequence: variant.range.sequence,
            digest: drawing.digest,
            engine: engine,
            family: variant.display.family,
            scale: variant.display.scale
        )
        let format = request.format ?? .layout
        guard format == .layout else {
            let picture = Picture(drawing.layout, on: variant.display)
            let subject = PaintJob.Subject.widget(picture, answer)
            return .paint(PaintJob(reply: id, subject: subject, format: format, deadline: deadline))
        }
        answer.layout = drawing.publishedLayout
        return reply(id, .result(answer))
    }

    /// Returns the effect that paints a board.
    func paint(_ request: BoardRequest, for id: RequesterID, deadline: Instant) -> LayoutEffect {
        if let fault = request.fault { return .refuse(id, RequestError(.malformed, fault)) }
        let subject = PaintJob.Subject.board(request, engine)
        return .paint(PaintJob(reply: id, subject: subject, format: request.format, deadline: deadline))
    }

    /// Returns the timeline of a widget on a display; nil if one of its drawings is not in ``drawingCache`` yet.
    ///
    /// The timeline begins with the layout at the time of the cycle. One layout follows for each later time at which
    /// the widget changes visibly, within ``timelineLength`` and up to ``maximumTimelineEntries`` layouts in total.
    mutating func timeline(_ variant: Variant) -> Timeline? {
        var moment = WidgetMoment(variant.refreshed)
        let horizon = moment.instant.advanced(by: Self.timelineLength)
        var entries: [Timeline.Entry] = []
        var missing = 0
        func draw(_ core: inout LayoutCore) {
            guard let drawing = core.drawingCache.drawings(of: variant.shown, at: moment, on: [variant.display])?.first
            else {
                missing += 1
                return
            }
            // A time at which nothing changes visibly gets no entry.
            guard drawing.digest != entries.last?.digest else { return }
            let entry = Timeline.Entry(date: moment.instant, digest: drawing.digest, layout: drawing.publishedLayout)
            entries.append(entry)
        }
        draw(&self)
        while variant.shown.content != nil,
            let next = VisibleChange.next(
                for: moment.definition,
                on: [variant.display],
                after: moment.instant,
                showsStaleMark: moment.staleSince != nil
            )
        {
            guard next <= horizon, next > moment.instant, entries.count + missing < Self.maximumTimelineEntries else {
                if missing > 0 { return nil }
                // Later changes are left out. The host asks for them after the last entry; with only one entry, at
                // `next`.
                return entries.count > 1
                    ? Timeline(entries: entries, policy: .atEnd)
                    : Timeline(entries: entries, policy: .after, date: next)
            }
            moment.instant = next
            draw(&self)
        }
        return missing > 0 ? nil : Timeline(entries: entries, policy: .never)
    }

    mutating func variant(
        of request: RenderRequest,
        _ page: Records<Refreshed>,
        _ frames: [Data]
    ) throws(RequestError) -> Variant {
        let key = VariantKey(widget: request.widget, display: request.display, sequence: request.sequence)
        return try Self.chosen(by: request, variant(key, page, frames))
    }

    /// Returns the ``Variant`` for a widget without a cycle, which is drawn as a placeholder.
    static func variant(
        of request: RenderRequest,
        _ placeholder: RenderRequest.Placeholder,
        now: Instant
    ) throws(RequestError) -> Variant {
        let refreshed = Refreshed(
            cause: .start,
            outcome: .fresh,
            instant: now,
            displays: [placeholder.display],
            definition: placeholder.definition,
            interaction: InteractionState(),
            times: CycleTimes()
        )
        // The widget has no cycle yet, and zero is not a valid sequence number: the answer contains that of the first
        // cycle.
        let range = SequenceRange(1)
        let variant = Variant(range: range, refreshed: refreshed, shown: .nothing, display: placeholder.display)
        return try chosen(by: request, variant)
    }

    /// Returns a copy of a variant with the appearance, text size, direction and panel size that the request specifies.
    ///
    /// Throws if the panel size is invalid, or if a private widget on a lock screen is requested as a panel.
    private static func chosen(
        by request: RenderRequest,
        _ variant: Variant
    ) throws(RequestError) -> Variant {
        var variant = variant
        if let appearance = request.appearance { variant.display.appearance = appearance }
        if let size = request.contentSizeCategory { variant.display.setTextSize(size) }
        if let direction = request.direction { variant.display.direction = direction }
        if let panel = request.panel {
            if variant.refreshed.definition.private == true, variant.display.family.isAccessory {
                throw RequestError(
                    .refused,
                    "Widget '\(request.widget)' is private: the texts that display '\(request.display)' hides cannot be "
                        + "drawn as a panel. Name another display, or request the picture without a size."
                )
            }
            guard panel.isValid else {
                throw RequestError(
                    .refused,
                    "The size of the panel is invalid: width and height must be \(PanelSize.lengths.lowerBound) to "
                        + "\(PanelSize.lengths.upperBound) points, and the scale must be \(PanelSize.scales.lowerBound) to "
                        + "\(PanelSize.scales.upperBound) pixels per point."
                )
            }
            variant.display = panel.applied(to: variant.display)
        }
        return variant
    }

    /// Returns the ``Variant`` that `key` identifies.
    ///
    /// `page` is an answer of the cache. `frames` are the contents to which the page refers. Throws if `page` does not
    /// contain the cycle, if the widget is not on the display, or if the cycle's content is neither in `frames` nor in
    /// memory.
    mutating func variant(
        _ key: VariantKey,
        _ page: Records<Refreshed>,
        _ frames: [Data]
    ) throws(RequestError) -> Variant {
        let (widget, display, sequence) = (key.widget, key.display, key.sequence)
        let record = page.records.first { event in
            guard event.widget == widget, let range = event.range else { return false }
            return sequence.map { range.first <= $0 && $0 <= range.sequence } ?? true
        }
        guard let record, let range = record.range else {
            let number = sequence.map { " with the sequence number \($0)" } ?? ""
            throw RequestError(.notFound, "There is no cycle of widget '\(widget)'\(number).")
        }
        guard let environment = record.data.displays.first(where: { $0.name == display }) else {
            let names = record.data.displays.map(\.name.rawValue).joined(separator: ", ")
            throw RequestError(
                .notFound,
                "Widget '\(widget)' is not shown on display '\(display)'; it is on: \(names.isEmpty ? "none" : names)."
            )
        }
        guard let shown = shown(by: record.data, Self.read(page, frames)) else {
            throw Self.lacks(widget, range.sequence)
        }
        return Variant(range: range, refreshed: record.data, shown: shown, display: environment)
    }

    /// Returns what a cycle shows; nil if its content is missing.
    ///
    /// A removed widget shows nothing, so its cycle needs no content.
    mutating func shown(by refreshed: Refreshed, _ others: [ContentDigest: ShownContent] = [:]) -> ShownContent? {
        refreshed.cause == .removed ? ShownContent.nothing : contents.shown(by: refreshed, beside: others)
    }

    static func lacks(_ widget: WidgetID, _ sequence: SequenceNumber) -> RequestError {
        RequestError(
            .failed,
            "The cache sent no content of widget '\(widget)' for the sequence number \(sequence); ask again."
        )
    }

    func reply(_ id: RequesterID, _ answer: Answer<some Any>) -> LayoutEffect {
        if case .error(let error) = answer { return .refuse(id, error) }
        do throws(WireError) {
            return .reply(id, try WireJSON.encode(answer))
        } catch {
            return .refuse(id, RequestError(.failed, "The answer cannot be sent: \(error)."))
        }
    }

    static func lateReply(_ id: RequesterID) -> LayoutEffect {
        .refuse(id, RequestError(.timedOut, "The deadline passed before the cache answered; ask again."))
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import LayoutEngine
import WidgetSchema

/// The rules of the layout service: what it publishes, requests and answers.
///
/// The core stores no stream position, because a layout depends only on its cycle. The core keeps contents and the last
/// drawings in memory, to save work and to find the rows that changed. A loss of this memory changes no digest. The
/// core is a value type without clock and socket: equal inputs, including `now`, give equal effects.
struct LayoutCore {
    /// The minimum interval between two requests to the cache for the content of the same widget.
    static let askInterval: Duration = .milliseconds(300)
    /// The timeout of a request to the cache for a missing content.
    static let askTimeout: Duration = .seconds(2)
    /// The time that is reserved for the reply to a requester.
    ///
    /// A request to the cache times out earlier than the requester's deadline, by this duration.
    static let replyMargin: Duration = .milliseconds(100)
    /// The maximum number of requests to this service that wait for the cache; further ones are rejected.
    static let maximumWaiting = 1024
    static let maximumDrawnVariants = 65_536
    static let maximumHeldWidgets = 4096
    static let maximumTimelineEntries = 16
    /// The length of a timeline: seven days, the range of useful forecasts.
    static let timelineLength: Duration = .seconds(7 * 86_400)

    var counts = LayoutCounts()
    var drawingCache = DrawingCache()
    var contents: ContentMemory
    var drawn = BoundedMemory<WidgetID, DrawnWidget>(limit: LayoutCore.maximumDrawnVariants)
    /// The latest time of a cycle's arrival, so that a clock that is set back does not make all cycles implausible.
    private var latestTime: Instant?
    var held = BoundedMemory<WidgetID, HeldCycles>(limit: LayoutCore.maximumHeldWidgets)
    var lastAsk = BoundedMemory<WidgetID, Wait>(limit: LayoutCore.maximumHeldWidgets)
    var waiting: [CacheRequestID: Purpose] = [:]
    var askedFor: Set<WidgetID> = []
    var waitingRequests = 0
    var nextAsk: UInt64 = 0
    let maximumWaiting: Int
    let engine: LayoutEngineVersion
    /// The jobs that wait for drawings, in order of arrival.
    var jobs: [Job] = []
    /// The widgets with a cycle in ``jobs``; later cycles of these widgets have to wait too.
    var blocked: Set<WidgetID> = []
    var reported: [String: Int64] = [:]

    init(_ setup: LayoutSetup = LayoutSetup()) {
        maximumWaiting = setup.maximumWaiting
        engine = LayoutEngineVersion(version: setup.version, fonts: setup.fonts)
        contents = ContentMemory(maximumBytes: setup.maximumContentBytes)
    }

    /// The purpose of a request to the cache.
    enum Purpose {
        case content(WidgetID)
        case request(RequesterID, LayoutInput.ClientRequest, deadline: Instant)
    }

    /// Work that may have to wait for drawings, with all of its inputs.
    enum Job {
        case cycle(ShownCycle)
        case replay(RequesterID, [ShownRecord], more: Bool)
        case render(RequesterID, RenderRequest, Variant, deadline: Instant)
        case timeline(RequesterID, Variant)
        case preview(RequesterID, Preview)

        /// The widget of a job that is a cycle; nil for all other jobs.
        ///
        /// The cycles of one widget are published in order, so a cycle waits for earlier jobs of its widget.
        var widget: WidgetID? {
            if case .cycle(let cycle) = self { cycle.widget } else { nil }
        }
    }

    /// A cycle to publish, with its content.
    struct ShownCycle {
        let widget: WidgetID
        let range: SequenceRange
        let refreshed: Refreshed
        let shown: ShownContent
    }

    /// A record of a replay, with its content; `shown` is nil if the content is not known.
    struct ShownRecord {
        let event: Event<Refreshed>
        let shown: ShownContent?
    }

    /// The key of a ``Variant``: a widget, a display and a cycle.
    ///
    /// If `sequence` is nil, the cycle is the widget's latest one.
    struct VariantKey {
        let widget: WidgetID
        let display: DisplayName
        var sequence: SequenceNumber?
    }

    /// A widget on one display, as of one cycle.
    struct Variant {
        let range: SequenceRange
        let refreshed: Refreshed
        let shown: ShownContent
        var display: Display
    }

    /// The digests and rows of a widget's last layouts, with which new layouts are compared to find changes.
    struct DrawnWidget {
        struct Variant {
            let digest: ContentDigest
            let rows: [DrawnRow]
        }

        var sequence: SequenceNumber
        var variants: [DisplayName: Variant]
    }

    /// Handles an input and returns its effects; jobs with missing drawings wait in ``jobs``.
    mutating func decide(_ input: LayoutInput, now: Instant) -> [LayoutEffect] {
        switch input {
        case .refreshed(let event, let content): refreshed(event, content: content, now: now)
        case .answered(let id, let records, let frames): answered(id, records, frames: frames, now: now)
        case .askFailed(let id, let error): failed(id, error, now: now)
        case .request(let id, let clientRequest, let deadline):
            requested(id, clientRequest, deadline: deadline, now: now)
        }
    }

    // MARK: Jobs

    /// Runs a job, or queues it until its drawings are available; the cycles of one widget stay in order.
    mutating func begin(_ job: Job, now: Instant) -> [LayoutEffect] {
        if let widget = job.widget, blocked.contains(widget) {
            jobs.append(job)
            return []
        }
        if let effects = attempt(job, now: now) { return effects }
        jobs.append(job)
        if let widget = job.widget { blocked.insert(widget) }
        return []
    }

    /// Attempts all jobs in ``jobs`` again; those that still have to wait stay there.
    mutating func goOn(now: Instant) -> [LayoutEffect] {
        let waiting = jobs
        (jobs, blocked) = ([], [])
        var effects: [LayoutEffect] = []
        for job in waiting { effects += begin(job, now: now) }
        return effects
    }

    /// Returns the effects of a job; nil if a drawing is not in ``drawingCache`` yet and the job must be retried.
    mutating func attempt(_ job: Job, now: Instant) -> [LayoutEffect]? {
        switch job {
        case .cycle(let cycle): publish(cycle, now: now)
        case .replay(let id, let records, let more):
            layOutAgain(records, more: more, now: now).map { [reply(id, $0)] }
        case .render(let id, let request, let variant, let deadline):
            render(request, variant, for: id, deadline: deadline).map { [$0] }
        case .timeline(let id, let variant):
            timeline(variant).map { [reply(id, .result($0))] }
        case .preview(let id, let preview):
            draw(preview).map { [reply(id, .result($0))] }
        }
    }

    // MARK: Cycles

    mutating func refreshed(_ event: Event<Refreshed>, content: Data?, now: Instant) -> [LayoutEffect] {
        guard let widget = event.widget, let range = event.range else { return [.report(.notOfAStream(id: event.id))] }
        let time = max(latestTime ?? now, now)
        latestTime = time
        guard range.sequence <= PlausibleSequence.latest(at: time) else {
            counts.cyclesImplausible += 1
            return [.report(.implausible(widget, range.sequence))]
        }
        var effects: [LayoutEffect] = []
        if let content, let reference = event.data.content {
            if !contents.remember(content, as: reference.digest) {
                counts.contentsRefused += 1
                effects.append(.report(.contentRefused(widget, range.sequence, reference.digest)))
            }
        }
        note(event.data, of: widget)
        if let shown = shown(by: event.data) {
            let cycle = ShownCycle(widget: widget, range: range, refreshed: event.data, shown: shown)
            effects += begin(.cycle(cycle), now: now)
            // Cycles that waited without a request, because of `askInterval`, are superseded by this one.
            if !askedFor.contains(widget), let cycles = held.value(for: widget)?.cycles {
                held.forget(widget)
                effects += drop(cycles.count, of: widget, because: nil)
            }
            return effects
        }
        return effects + hold(HeldCycles.Cycle(range: range, refreshed: event.data), of: widget, now: now)
    }

    mutating func note(_ refreshed: Refreshed, of widget: WidgetID) {
        if let reference = refreshed.content { contents.note(reference.digest, for: widget) }
    }

    /// Returns the effects that publish a cycle and its new layouts; nil if a drawing is not in ``drawingCache`` yet.
    mutating func publish(_ cycle: ShownCycle, now: Instant) -> [LayoutEffect]? {
        let (widget, range, refreshed, shown) = (cycle.widget, cycle.range, cycle.refreshed, cycle.shown)
        do throws(WireError) {
            guard var laidOut = layOut(refreshed, shown, needsLayouts: true, now: now) else { return nil }
            var layouts: [LayoutEffect] = []
            let before = drawn.value(for: widget)
            // A late cycle publishes no layouts, because clients have newer ones.
            if range.sequence >= before?.sequence ?? .zero {
                // After a gap, all displays count as changed: another instance may have published layouts in between.
                let follows = before.map { range.first <= $0.sequence.next } ?? false
                let news = refreshed.displays.filter { display in
                    guard let state = laidOut.displays[display.name] else { return false }
                    return !follows || before?.variants[display.name]?.digest != state.digest
                }
                guard let drawings = drawingCache.drawings(of: shown, at: WidgetMoment(refreshed), on: news) else {
                    return nil
                }
                var variants: [DisplayName: DrawnWidget.Variant] = [:]
                for display in refreshed.displays { variants[display.name] = before?.variants[display.name] }
                for (display, drawing) in zip(news, drawings) {
                    let old = before?.variants[display.name]
                    let rows = drawing.rows
                    variants[display.name] = DrawnWidget.Variant(digest: drawing.digest, rows: rows)
                    let changes = old.flatMap { RowChanges(from: $0.digest, old: $0.rows, new: rows) }
                    laidOut.displays[display.name]?.rowChanges = changes
                    let changed = LayoutChanged(
                        display: display.name,
                        digest: drawing.digest,
                        layout: drawing.publishedLayout,
                        rowChanges: changes
                    )
                    let topic = Topic.layout(widget, on: display.name)
                    let event = Event(topic, widget: widget, range: range, time: now, data: changed)
                    layouts.append(.publishLayout(LayoutPublication(topic: topic, event: event)))
                }
                drawn.remember(
                    DrawnWidget(sequence: range.sequence, variants: variants),
                    for: widget,
                    cost: max(variants.count, 1)
                )
            }
            let topic = Topic.laidOut(widget)
            let event = Event(topic, widget: widget, range: range, time: now, data: laidOut)
            counts.cycles += 1
            counts.layouts += Int64(layouts.count)
            return [.publish(topic, try WireJSON.encode(event))] + layouts
        } catch {
            counts.cyclesDropped += 1
            return [.report(.cannotWrite(widget, error))]
        }
    }

    /// Returns the data of a cycle's `laidout` event; nil if a display's ``Look`` is not in ``drawingCache`` yet.
    ///
    /// A look is the digest, height and summary of a layout. All data except `times.laidOut` depends only on the cycle.
    mutating func layOut(
        _ refreshed: Refreshed,
        _ shown: ShownContent,
        needsLayouts: Bool,
        now: Instant
    ) -> LaidOut? {
        let moment = WidgetMoment(refreshed)
        let shownDisplays = refreshed.cause == .removed ? [] : refreshed.displays
        guard
            let looks = drawingCache.looks(
                of: shown,
                at: moment,
                on: shownDisplays,
                needsLayouts: needsLayouts
            )
        else { return nil }
        let summary = looks.first?.summary ?? ""
        var displays: [DisplayName: DisplayState] = [:]
        var changes = VisibleChange(
            of: refreshed.definition,
            after: refreshed.instant,
            showsStaleMark: refreshed.staleSince != nil
        )
        for (display, look) in zip(shownDisplays, looks) {
            displays[display.name] = DisplayState(
                digest: look.digest,
                height: look.height,
                summary: look.summary == summary ? nil : look.summary,
                nextChange: changes.next(on: display),
                board: display.panel?.cell?.place
            )
        }
        let otherLocales = shownDisplays.filter { $0.locale != shownDisplays[0].locale }.map(\.name).sorted()
        var times = refreshed.times
        times.laidOut = now
        return LaidOut(
            cause: refreshed.cause,
            outcome: refreshed.outcome,
            failure: refreshed.failure,
            contentIsMissing: shown.content == nil,
            hasContent: refreshed.cause != .removed && moment.hasContent(showing: shown),
            contentDate: refreshed.contentDate,
            blockedUntil: refreshed.blockedUntil,
            displays: displays,
            summary: summary,
            otherLocales: otherLocales.isEmpty ? nil : otherLocales,
            engine: engine,
            times: times
        )
    }

    // MARK: Answers of the cache

    mutating func answered(
        _ id: CacheRequestID,
        _ records: Records<Refreshed>,
        frames: [Data],
        now: Instant
    ) -> [LayoutEffect] {
        switch waiting.removeValue(forKey: id) {
        case nil: return []
        case .content(let widget):
            askedFor.remove(widget)
            return contentCame(records, frames: frames, for: widget, now: now)
        case .request(let reply, let clientRequest, let deadline):
            waitingRequests -= 1
            guard now <= deadline else { return [Self.lateReply(reply)] }
            switch clientRequest {
            case .replay: return begin(replay(records, frames, for: reply), now: now)
            case .render(let request):
                return begin(reply, now: now) { core throws(RequestError) in
                    let variant = try core.variant(of: request, records, frames)
                    return .render(reply, request, variant, deadline: deadline)
                }
            case .timeline(let request):
                let key = VariantKey(widget: request.widget, display: request.display)
                return begin(reply, now: now) { core throws(RequestError) in
                    .timeline(reply, try core.variant(key, records, frames))
                }
            case .preview, .board: return []
            }
        }
    }

    mutating func begin(
        _ reply: RequesterID,
        now: Instant,
        _ makeJob: (inout LayoutCore) throws(RequestError) -> Job
    ) -> [LayoutEffect] {
        do throws(RequestError) {
            return begin(try makeJob(&self), now: now)
        } catch {
            return [.refuse(reply, error)]
        }
    }

    mutating func failed(_ id: CacheRequestID, _ error: RequestError, now: Instant) -> [LayoutEffect] {
        switch waiting.removeValue(forKey: id) {
        case nil: return []
        case .content(let widget):
            askedFor.remove(widget)
            let cycles = held.value(for: widget)?.cycles ?? []
            held.forget(widget)
            return drop(cycles.count, of: widget, because: error)
        case .request(let reply, _, let deadline):
            waitingRequests -= 1
            // By now, the requester's deadline may have passed.
            return [now <= deadline ? .refuse(reply, error) : Self.lateReply(reply)]
        }
    }

    /// Returns the contents in `frames` by digest; omits each frame that does not have the expected digest.
    ///
    /// The expected digest is that of the element at the same index in `records.contents`.
    static func read(_ records: Records<Refreshed>, _ frames: [Data]) -> [ContentDigest: ShownContent] {
        var contents: [ContentDigest: ShownContent] = [:]
        for (reference, frame) in zip(records.contents ?? [], frames) {
            contents[reference.digest] = ContentMemory.read(frame, as: reference.digest)
        }
        return contents
    }
}

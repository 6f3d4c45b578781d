// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Decides what the layout service publishes, asks and answers.
///
/// It keeps no position: a cycle in, its layouts out. What it remembers (contents, what it drew last) saves work and
/// makes row changes; forgetting all of it changes no digest. A value without clock and socket: `now` is given, and
/// the same inputs give the same actions.
struct LayoutCore {
    /// Raised with every change that makes equal cycles look different.
    static let engineVersion = 6
    /// How often a widget's content is asked for at most.
    static let askInterval: Int64 = 300
    /// How long the cache has to answer.
    static let askDeadline = 2000
    /// What an answer takes from the cache to here and on, so that it is in time.
    static let replyMargin = 100
    /// Requests that wait for the cache at a time; those beyond are refused.
    static let maximumWaiting = 1024
    static let maximumDrawnVariants = 65_536
    static let maximumHeldWidgets = 4096
    static let maximumTimelineEntries = 16
    /// How far a timeline looks ahead: seven days, as far as forecasts are worth something.
    static let timelineMilliseconds: Int64 = 7 * 86_400_000

    private(set) var counts = LayoutCounts()
    private(set) var board: DrawingBoard
    private(set) var contents: ContentMemory
    private var drawn = BoundedMemory<WidgetID, DrawnWidget>(limit: LayoutCore.maximumDrawnVariants)
    private var held = BoundedMemory<WidgetID, HeldCycles>(limit: LayoutCore.maximumHeldWidgets)
    private var lastAsk = BoundedMemory<WidgetID, Instant>(limit: LayoutCore.maximumHeldWidgets)
    private var waiting: [AskID: Waiting] = [:]
    private var askedFor: Set<WidgetID> = []
    private var waitingRequests = 0
    private var nextAsk: UInt64 = 0
    private let maximumWaiting: Int
    private let engine: LayoutEngine

    /// With the digest of the fonts, for information, in everything that is laid out.
    init(
        drafting: any Drafting,
        fonts: ContentDigest? = nil,
        maximumContentBytes: Int = ContentMemory.maximumBytes,
        maximumWaiting: Int = LayoutCore.maximumWaiting
    ) {
        self.maximumWaiting = maximumWaiting
        board = DrawingBoard(drafting: drafting)
        engine = LayoutEngine(version: Self.engineVersion, fonts: fonts)
        contents = ContentMemory(maximumBytes: maximumContentBytes)
    }

    /// What a question to the cache is for.
    private enum Waiting {
        case content(WidgetID)
        case request(ReplyID, Query, deadline: Instant)
    }

    /// What was drawn last of a widget: a hint for row changes, and whether `layout/` has news.
    private struct DrawnWidget {
        struct Variant {
            let digest: ContentDigest
            let rows: [DrawnRow]
        }

        var sequence: SequenceNumber
        var variants: [DisplayName: Variant]
    }

    mutating func handle(_ input: Input, now: Instant) -> [Action] {
        switch input {
        case .refreshed(let event, let content): refreshed(event, content: content, now: now)
        case .answered(let id, let records, let frames): answered(id, records, frames: frames, now: now)
        case .askFailed(let id, let error): failed(id, error, now: now)
        case .request(let id, let query, let deadline): requested(id, query, deadline: deadline, now: now)
        }
    }

    // MARK: Cycles

    private mutating func refreshed(_ event: Event<Refreshed>, content: Data?, now: Instant) -> [Action] {
        guard let widget = event.widget, let range = event.range else { return [.report(.notOfAStream(id: event.id))] }
        let known = drawn.value(for: widget)?.sequence ?? .zero
        guard range.sequence <= PlausibleSequence.latest(after: known, at: now) else {
            counts.cyclesImplausible += 1
            return [.report(.implausible(widget, range.sequence))]
        }
        var actions: [Action] = []
        if let content, let reference = event.data.content {
            if !contents.remember(content, as: reference.digest) {
                counts.contentsRefused += 1
                actions.append(.report(.contentRefused(widget, range.sequence, reference.digest)))
            }
        }
        note(event.data, of: widget)
        // A removed widget shows nothing: no content is needed for that.
        let shown =
            event.data.cause == .removed
            ? ShownContent.nothing : contents.shown(by: event.data, of: widget)
        if let shown {
            actions += publish(event.data, shown, of: widget, range, now: now)
            // What waited although nobody was asked, by the limit of how often, is overtaken now.
            if !askedFor.contains(widget), let cycles = held.value(for: widget)?.cycles {
                held.forget(widget)
                actions += drop(cycles.count, of: widget, because: nil)
            }
            return actions
        }
        return actions + hold(HeldCycles.Cycle(range: range, refreshed: event.data), of: widget, now: now)
    }

    private mutating func note(_ refreshed: Refreshed, of widget: WidgetID) {
        guard let sequence = refreshed.contentSequence, let reference = refreshed.content else { return }
        contents.note(reference.digest, at: sequence, for: widget)
    }

    /// Lays a cycle out and publishes it, and each layout that is new.
    private mutating func publish(
        _ refreshed: Refreshed,
        _ shown: ShownContent,
        of widget: WidgetID,
        _ range: SequenceRange,
        now: Instant
    ) -> [Action] {
        do throws(WireError) {
            var (laidOut, drawings) = layOut(refreshed, shown, now: now)
            var layouts: [Action] = []
            let before = drawn.value(for: widget)
            // What comes late draws nothing: clients have newer layouts.
            if range.sequence >= before?.sequence ?? .zero {
                let news = refreshed.displays.filter { display in
                    guard let state = laidOut.displays[display.name] else { return false }
                    return before?.variants[display.name]?.digest != state.digest
                }
                let undrawn = news.filter { drawings[$0.name] == nil }
                let late = board.draw(shown, at: WidgetMoment(refreshed), on: undrawn)
                for (display, drawing) in zip(undrawn, late) { drawings[display.name] = drawing }
                var variants: [DisplayName: DrawnWidget.Variant] = [:]
                for display in refreshed.displays { variants[display.name] = before?.variants[display.name] }
                for display in news {
                    guard let drawing = drawings[display.name] else { continue }
                    let old = before?.variants[display.name]
                    let rows = drawing.rows
                    variants[display.name] = DrawnWidget.Variant(digest: drawing.digest, rows: rows)
                    let changes = old.flatMap { RowChanges(from: $0.digest, old: $0.rows, new: rows) }
                    laidOut.displays[display.name]?.rowChanges = changes
                    layouts.append(try layoutChanged(drawing, changes, of: widget, on: display.name, range, now: now))
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

    private mutating func layoutChanged(
        _ drawing: Drawing,
        _ changes: RowChanges?,
        of widget: WidgetID,
        on display: DisplayName,
        _ range: SequenceRange,
        now: Instant
    ) throws(WireError) -> Action {
        let topic = Topic.layout(widget, on: display)
        var data = LayoutChanged(
            display: display,
            digest: drawing.digest,
            layout: drawing.layout,
            rowChanges: changes
        )
        let frame = try WireJSON.encode(Event(topic, widget: widget, range: range, time: now, data: data))
        guard frame.count > MessageLimits.clientFrame else { return .publish(topic, frame) }
        counts.layoutsTooLarge += 1
        data.layout = nil
        return .publish(topic, try WireJSON.encode(Event(topic, widget: widget, range: range, time: now, data: data)))
    }

    /// The data of a cycle's `laidout`: the same for the same cycle, whenever and wherever, but for `times.laidOut`.
    private mutating func layOut(
        _ refreshed: Refreshed,
        _ shown: ShownContent,
        now: Instant
    ) -> (LaidOut, drawings: [DisplayName: Drawing]) {
        let moment = WidgetMoment(refreshed)
        let isRemoved = refreshed.cause == .removed
        var displays: [DisplayName: DisplayState] = [:]
        var drawings: [DisplayName: Drawing] = [:]
        var summary = ""
        if !isRemoved {
            let looks = board.looks(of: shown, at: moment, on: refreshed.displays)
            summary = looks.first?.summary ?? ""
            for (display, look) in zip(refreshed.displays, looks) {
                displays[display.name] = DisplayState(
                    digest: look.digest,
                    height: look.height,
                    summary: look.summary == summary ? nil : look.summary
                )
                drawings[display.name] = look.drawing
            }
        }
        var times = refreshed.times
        times.laidOut = now
        let laidOut = LaidOut(
            cause: refreshed.cause,
            outcome: refreshed.outcome,
            failure: refreshed.failure,
            contentIsMissing: shown.content == nil,
            hasContent: !isRemoved && moment.hasContent(showing: shown),
            contentDate: refreshed.contentDate,
            displays: displays,
            summary: summary,
            engine: engine,
            times: times
        )
        return (laidOut, drawings)
    }

    // MARK: Contents that are not here

    /// Keeps a cycle until its content comes, and asks the cache for it, as it was in the first cycle that waits.
    private mutating func hold(_ cycle: HeldCycles.Cycle, of widget: WidgetID, now: Instant) -> [Action] {
        var cycles = held.value(for: widget) ?? HeldCycles()
        counts.cyclesDropped += cycles.append(cycle)
        held.remember(cycles, for: widget)
        return askForContent(of: widget, from: cycles.cycles.map(\.range.sequence).min(), now: now)
    }

    private mutating func askForContent(of widget: WidgetID, from sequence: SequenceNumber?, now: Instant) -> [Action] {
        guard let sequence, !askedFor.contains(widget) else { return [] }
        if let last = lastAsk.value(for: widget), now < last.advanced(byMilliseconds: Self.askInterval) { return [] }
        lastAsk.remember(now, for: widget)
        askedFor.insert(widget)
        counts.contentsAsked += 1
        let question = Question.replay(ReplayRequest(from: [widget: sequence]))
        return [
            .report(.contentAsked(widget, sequence)),
            ask(question, for: .content(widget), deadlineMilliseconds: Self.askDeadline),
        ]
    }

    private mutating func ask(_ question: Question, for purpose: Waiting, deadlineMilliseconds: Int) -> Action {
        nextAsk += 1
        let id = AskID(number: nextAsk)
        waiting[id] = purpose
        return .ask(id, question, deadlineMilliseconds: deadlineMilliseconds)
    }

    /// Publishes what the cache gave, then what waited and can be laid out now.
    private mutating func contentCame(
        _ records: Records<Refreshed>,
        frames: [Data],
        for widget: WidgetID,
        now: Instant
    ) -> [Action] {
        var actions: [Action] = []
        let others = Self.read(records, frames)
        for (reference, frame) in zip(records.contents ?? [], frames) {
            if let content = others[reference.digest] {
                contents.remember(content, as: reference.digest, bytes: frame.count)
            } else {
                counts.contentsRefused += 1
                actions.append(.report(.contentRefused(widget, .zero, reference.digest)))
            }
        }
        var published = SequenceNumber.zero
        for event in records.records {
            guard event.widget == widget, let range = event.range else { continue }
            note(event.data, of: widget)
            guard let shown = contents.shown(by: event.data, of: widget, beside: others) else { continue }
            actions += publish(event.data, shown, of: widget, range, now: now)
            published = range.sequence
        }
        let waiting = held.value(for: widget)?.cycles.filter { $0.range.sequence > published } ?? []
        held.forget(widget)
        var lacking: [HeldCycles.Cycle] = []
        for cycle in waiting {
            if lacking.isEmpty, let shown = contents.shown(by: cycle.refreshed, of: widget) {
                actions += publish(cycle.refreshed, shown, of: widget, cycle.range, now: now)
            } else {
                lacking.append(cycle)
            }
        }
        guard !lacking.isEmpty else { return actions }
        // They lack a content still: it came after the cache's answer, so the next question finds it.
        let again = lacking.first.flatMap { askForContent(of: widget, from: $0.range.sequence, now: now) } ?? []
        if again.isEmpty { return actions + drop(lacking.count, of: widget, because: nil) }
        var cycles = HeldCycles()
        for cycle in lacking { counts.cyclesDropped += cycles.append(cycle) }
        held.remember(cycles, for: widget)
        return actions + again
    }

    private mutating func drop(_ count: Int, of widget: WidgetID, because error: RequestError?) -> [Action] {
        guard count > 0 else { return [] }
        counts.cyclesDropped += Int64(count)
        return [.report(.cyclesDropped(widget, count: count, error))]
    }

    // MARK: Answers of the cache

    private mutating func answered(
        _ id: AskID,
        _ records: Records<Refreshed>,
        frames: [Data],
        now: Instant
    ) -> [Action] {
        switch waiting.removeValue(forKey: id) {
        case nil: return []
        case .content(let widget):
            askedFor.remove(widget)
            return contentCame(records, frames: frames, for: widget, now: now)
        case .request(let reply, let query, let deadline):
            waitingRequests -= 1
            guard now <= deadline else { return [Self.lateReply(reply)] }
            switch query {
            case .replay: return [self.reply(reply, layOutAgain(records, frames, now: now))]
            case .render(let request): return [render(request, records, frames, for: reply, deadline: deadline)]
            case .timeline(let request): return [self.reply(reply, timeline(request, records, frames))]
            }
        }
    }

    private mutating func failed(_ id: AskID, _ error: RequestError, now: Instant) -> [Action] {
        switch waiting.removeValue(forKey: id) {
        case nil: return []
        case .content(let widget):
            askedFor.remove(widget)
            let cycles = held.value(for: widget)?.cycles ?? []
            held.forget(widget)
            return drop(cycles.count, of: widget, because: error)
        case .request(let reply, _, let deadline):
            waitingRequests -= 1
            // What the cache could not do in our time, the asker's time may be over for too.
            return [now <= deadline ? .refuse(reply, error) : Self.lateReply(reply)]
        }
    }

    /// The contents that came with a page, by digest.
    private static func read(_ records: Records<Refreshed>, _ frames: [Data]) -> [ContentDigest: ShownContent] {
        var contents: [ContentDigest: ShownContent] = [:]
        for (reference, frame) in zip(records.contents ?? [], frames) {
            contents[reference.digest] = ContentMemory.read(frame, as: reference.digest)
        }
        return contents
    }

    // MARK: Requests

    private mutating func requested(_ id: ReplyID, _ query: Query, deadline: Instant, now: Instant) -> [Action] {
        guard now < deadline else { return [Self.lateReply(id)] }
        guard waitingRequests < maximumWaiting else {
            counts.requestsRefused += 1
            let text = "\(maximumWaiting) requests wait for the cache already; ask again later"
            return [.refuse(id, RequestError(.failed, text))]
        }
        waitingRequests += 1
        let left = Int(clamping: deadline.milliseconds(since: now))
        let question: Question =
            switch query {
            case .replay(let request): .replay(ReplayRequest(from: request.from))
            case .render(let request):
                if let sequence = request.sequence {
                    .replay(ReplayRequest(from: [request.widget: sequence]))
                } else {
                    .snapshot(SnapshotRequest(widgets: [request.widget]))
                }
            case .timeline(let request): .snapshot(SnapshotRequest(widgets: [request.widget]))
            }
        return [
            ask(
                question,
                for: .request(id, query, deadline: deadline),
                deadlineMilliseconds: max(left - Self.replyMargin, 1)
            )
        ]
    }

    /// The cache's replay, laid out.
    private mutating func layOutAgain(
        _ page: Records<Refreshed>,
        _ frames: [Data],
        now: Instant
    ) -> Answer<Records<LaidOut>> {
        let others = Self.read(page, frames)
        var laidOut: [Event<LaidOut>] = []
        var bytes = 0
        do throws(WireError) {
            for event in page.records {
                guard let widget = event.widget, let range = event.range else { continue }
                guard let shown = shown(by: event.data, of: widget, others) else {
                    return .error(Self.lacks(widget, range.sequence))
                }
                let (data, _) = layOut(event.data, shown, now: now)
                let record = Event(.laidOut(widget), widget: widget, range: range, time: now, data: data)
                bytes += try WireJSON.encode(record).count + 1
                // The page may have come to more than it was: the asker goes on behind what it got.
                if bytes > MessageLimits.page, !laidOut.isEmpty {
                    return .result(Records(records: laidOut, more: true))
                }
                laidOut.append(record)
                counts.replayed += 1
            }
        } catch {
            return .error(RequestError(.failed, "a record \(error)"))
        }
        return .result(Records(records: laidOut, more: page.more))
    }

    private mutating func render(
        _ request: RenderRequest,
        _ page: Records<Refreshed>,
        _ frames: [Data],
        for id: ReplyID,
        deadline: Instant
    ) -> Action {
        do throws(RequestError) {
            let variant = try draw(
                request.widget,
                request.display,
                request.sequence,
                appearance: request.appearance,
                page,
                frames
            )
            var answer = RenderAnswer(
                widget: request.widget,
                display: request.display,
                sequence: variant.range.sequence,
                digest: variant.drawing.digest
            )
            let format = request.format ?? .layout
            guard format == .layout else {
                let picture = Picture(
                    variant.drawing.layout,
                    family: variant.display.family,
                    scale: PixelGrid.pixels(perPoint: variant.display.scale)
                )
                let job = PaintJob(reply: id, picture: picture, format: format, answer: answer, deadline: deadline)
                return .paint(job)
            }
            answer.layout = variant.drawing.layout
            return reply(id, .result(answer))
        } catch {
            return .refuse(id, error)
        }
    }

    /// The layout now, and those at the next instants of visible change.
    private mutating func timeline(
        _ request: TimelineRequest,
        _ page: Records<Refreshed>,
        _ frames: [Data]
    ) -> Answer<Timeline> {
        do throws(RequestError) {
            let variant = try draw(request.widget, request.display, nil, page, frames)
            let (refreshed, shown, drawing, display) =
                (variant.refreshed, variant.shown, variant.drawing, variant.display)
            var moment = WidgetMoment(refreshed)
            let horizon = moment.instant.advanced(byMilliseconds: Self.timelineMilliseconds)
            var entries = [Timeline.Entry(date: moment.instant, digest: drawing.digest, layout: drawing.layout)]
            while shown.content != nil,
                let next = VisibleChange.next(for: moment.definition, on: [display], after: moment.instant)
            {
                guard next <= horizon, next > moment.instant, entries.count < Self.maximumTimelineEntries else {
                    // More entries follow the last one; where nothing changes for so long, the host may wait.
                    return entries.count > 1
                        ? .result(Timeline(entries: entries, policy: .atEnd))
                        : .result(Timeline(entries: entries, policy: .after, date: next))
                }
                moment.instant = next
                guard let drawing = board.draw(shown, at: moment, on: [display]).first else { break }
                // What looks the same is no entry.
                guard drawing.digest != entries.last?.digest else { continue }
                entries.append(Timeline.Entry(date: next, digest: drawing.digest, layout: drawing.layout))
            }
            return .result(Timeline(entries: entries, policy: .never))
        } catch {
            return .error(error)
        }
    }

    /// One variant as it was in a cycle.
    private struct DrawnVariant {
        let range: SequenceRange
        let refreshed: Refreshed
        let shown: ShownContent
        let display: Display
        let drawing: Drawing
    }

    /// One variant as it was in a cycle, or in the latest, with another appearance where one is named.
    private mutating func draw(
        _ widget: WidgetID,
        _ display: DisplayName,
        _ sequence: SequenceNumber?,
        appearance: Appearance? = nil,
        _ page: Records<Refreshed>,
        _ frames: [Data]
    ) throws(RequestError) -> DrawnVariant {
        let record = page.records.first { event in
            guard event.widget == widget, let range = event.range else { return false }
            return sequence.map { range.first <= $0 && $0 <= range.sequence } ?? true
        }
        guard let record, let range = record.range else {
            let cycle = sequence.map { " of widget '\(widget)' with the sequence \($0)" } ?? " of widget '\(widget)'"
            throw RequestError(.notFound, "there is no cycle\(cycle)")
        }
        guard var environment = record.data.displays.first(where: { $0.name == display }) else {
            let names = record.data.displays.map(\.name.rawValue).joined(separator: ", ")
            throw RequestError(
                .notFound,
                "widget '\(widget)' is not shown on display '\(display)'; it is on: \(names.isEmpty ? "none" : names)"
            )
        }
        guard let shown = shown(by: record.data, of: widget, Self.read(page, frames)) else {
            throw Self.lacks(widget, range.sequence)
        }
        environment.appearance = appearance ?? environment.appearance
        guard let drawing = board.draw(shown, at: WidgetMoment(record.data), on: [environment]).first else {
            throw RequestError(.failed, "the layout could not be drawn; ask again")
        }
        return DrawnVariant(
            range: range,
            refreshed: record.data,
            shown: shown,
            display: environment,
            drawing: drawing
        )
    }

    private mutating func shown(
        by refreshed: Refreshed,
        of widget: WidgetID,
        _ others: [ContentDigest: ShownContent]
    ) -> ShownContent? {
        refreshed.cause == .removed
            ? ShownContent.nothing : contents.shown(by: refreshed, of: widget, beside: others)
    }

    private static func lacks(_ widget: WidgetID, _ sequence: SequenceNumber) -> RequestError {
        RequestError(.failed, "the cache gave no content of widget '\(widget)' for the sequence \(sequence); ask again")
    }

    private func reply(_ id: ReplyID, _ answer: Answer<some Any>) -> Action {
        if case .error(let error) = answer { return .refuse(id, error) }
        do throws(WireError) {
            return .reply(id, try WireJSON.encode(answer))
        } catch {
            return .refuse(id, RequestError(.failed, "the answer \(error)"))
        }
    }

    private static func lateReply(_ id: ReplyID) -> Action {
        .refuse(id, RequestError(.timedOut, "the deadline passed before the cache answered; ask again"))
    }
}

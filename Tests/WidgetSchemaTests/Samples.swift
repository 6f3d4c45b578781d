// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// One value of each wire type; its golden file has the same name.
enum Samples {
    static let answered = Instant(milliseconds: 1_763_683_200_000)
    static let widget = valid(WidgetID(rawValue: "blog"))
    static let source = valid(SourceID(rawValue: "0123456789abcdef"))
    static let phone = valid(DisplayName(rawValue: "phone-classic"))
    static let lease = valid(LeaseID(rawValue: "k3v9-17"))
    static let digest = valid(ContentDigest(rawValue: String(repeating: "0123456789abcdef", count: 4)))
    static let earlierDigest = valid(ContentDigest(rawValue: String(repeating: "fedcba9876543210", count: 4)))
    static let sequence: SequenceNumber = 1_763_683_200_123
    static let range = SequenceRange(sequence)
    static let offset = StreamOffset(epoch: valid(StreamEpoch(rawValue: "0123456789abcdef")), number: 41)
    static let instance = valid(InstanceName(rawValue: "host-4711"))

    static let content = Content.feed(
        FeedContent(
            title: "The Lighthouse",
            link: "https://example.org/",
            items: [
                FeedItem(
                    id: "tag:example.org,2025:1",
                    title: "A first post",
                    author: "Ada",
                    published: answered,
                    updated: answered.advanced(byMilliseconds: 1500),
                    link: "https://example.org/1",
                    summary: "It begins."
                ),
                FeedItem(id: "tag:example.org,2025:0", title: "Before"),
            ],
            hasContent: true
        )
    )
    static let keyValue = Content.keyValue(
        KeyValueContent(pairs: [KeyValuePair(key: "city", value: "Mountain View")], hasContent: false)
    )
    static let forecast = Content.forecast(
        ForecastContent(
            days: [
                ForecastDay(
                    date: CalendarDate(daysSince1970: 20_413),
                    condition: .partlyCloudy,
                    low: 3.5,
                    high: 9
                ),
                ForecastDay(
                    date: CalendarDate(daysSince1970: 20_414),
                    condition: .unknown,
                    conditionText: "Sandstorm"
                ),
            ],
            hasContent: true
        )
    )
    static let quote = Content.quote(
        QuoteContent(
            quotes: [Quote(text: "Begin, and half is done.", author: "Ada", source: "Letters")],
            hasContent: true
        )
    )
    static let documents = Content.documents(
        DocumentsContent(
            documents: [
                RecentDocument(
                    id: "notes-17",
                    title: "Notes",
                    link: "exampleapp://documents/17",
                    openedAt: answered,
                    icon: "doc.text"
                )
            ],
            hasContent: false
        )
    )
    static let rows = Content.json(
        RowsContent(
            rows: [
                ContentRow(
                    id: "build-1",
                    title: .text("main"),
                    subtitle: .number(RowNumber(0.875, .percent)),
                    date: answered,
                    link: "https://example.org/builds/1"
                ),
                ContentRow(id: "build-0", title: .date(answered)),
            ],
            hasContent: true
        )
    )
    static let contentReference = ContentReference(parsing: "feed", digest: digest)
    static let failure = AttemptFailure(
        class: .transient,
        message: "https://example.org/feed answered 503",
        explanation: "The server is not available now (503).",
        status: 503,
        nextAttempt: answered.advanced(byMilliseconds: 60_000)
    )
    static let display = Display(
        name: phone,
        family: .todayClassic,
        mode: nil,
        width: 359,
        compactHeight: nil,
        maximumHeight: 540.5,
        contentSizeCategory: .large,
        scale: 2,
        insets: EdgeInsets(leading: 47),
        locale: "en_US",
        timeZone: "Europe/Berlin"
    )
    static let compactDisplay = Display(
        name: valid(DisplayName(rawValue: "phone-compact")),
        family: .today,
        mode: .compact,
        width: 359,
        compactHeight: 110,
        maximumHeight: 616,
        contentSizeCategory: .extraExtraLarge,
        scale: 3,
        insets: EdgeInsets(),
        locale: "de_DE",
        timeZone: "Europe/Berlin",
        appearance: .dark,
        hourCycle: .twentyFourHour,
        direction: .leftToRight,
        largestMode: .compact
    )
    static let times = CycleTimes(
        answered: answered,
        committed: answered.advanced(byMilliseconds: 4),
        laidOut: answered.advanced(byMilliseconds: 6),
        decided: answered.advanced(byMilliseconds: 9)
    )
    static let rowChanges = RowChanges(
        from: earlierDigest,
        inserted: [0],
        deleted: [2],
        moved: [RowChanges.Move(from: 1, to: 2)],
        updated: [1]
    )
    static let displayState = DisplayState(
        digest: digest,
        height: 176.5,
        rowChanges: rowChanges,
        summary: "Ein erster Beitrag",
        nextChange: answered.advanced(byMilliseconds: 3_600_000),
        changed: answered
    )
    static let layout = Layout(
        size: Size(width: 359, height: 88),
        largestMode: .compact,
        link: "https://example.org/",
        views: [
            LayoutView(
                kind: .row,
                id: "post-1",
                frame: Rectangle(x: 0, y: 0, width: 359, height: 44),
                action: .open(url: "https://example.org/1"),
                views: [
                    LayoutView(
                        kind: .label,
                        frame: Rectangle(x: 47, y: 4.5, width: 304, height: 20),
                        text: LayoutText(
                            lines: [TextLine(text: "A first post", x: 0, baseline: 15.5, width: 92.25)],
                            font: LayoutFont(style: .subheadline, weight: .semibold, size: 15, leading: 20),
                            color: .label
                        )
                    ),
                    LayoutView(
                        kind: .image,
                        frame: Rectangle(x: 335, y: 12, width: 16, height: 16),
                        image: LayoutImage(symbol: "doc", color: .tint)
                    ),
                ]
            ),
            LayoutView(
                kind: .button,
                frame: Rectangle(x: 0, y: 44, width: 359, height: 44),
                action: .command(.setExpanded(true))
            ),
        ],
        modeChanges: rowChanges
    )

    static let fetched = Event(
        .fetched(source),
        subject: source.rawValue,
        nonce: "n7",
        counter: 3,
        time: answered,
        data: Fetched(
            lease: lease,
            result: .content,
            contents: [contentReference],
            rejected: [RejectedParsing(parsing: "quotes", message: "https://example.org/feed: there are no quotes")],
            validators: Validators(entityTag: "\"a\"", lastModified: "Fri, 21 Nov 2025 00:00:00 GMT"),
            location: "https://example.org/feed.atom",
            announced: "https://example.org/feed.atom",
            bodyDigest: earlierDigest,
            freshness: Freshness(lifetimeSeconds: 300),
            advice: PublisherAdvice(
                timeToLiveSeconds: 3600,
                updateIntervalSeconds: 86_400,
                skippedHours: [0, 1],
                skippedDays: [6, 7]
            ),
            answeredBy: "feeds.example.org:8080",
            failedHTTP2: true,
            parserVersion: 1,
            answeredAt: answered
        )
    )
    static let fetchedFailed = Event(
        .fetched(source),
        subject: source.rawValue,
        nonce: "n7",
        counter: 4,
        time: answered,
        data: Fetched(
            lease: lease,
            result: .failed,
            failure: failure,
            freshness: Freshness(retryAfterSeconds: 60),
            isMissing: true,
            answeredAt: answered
        )
    )
    static let refreshed = Event(
        .refreshed(widget),
        widget: widget,
        range: range,
        time: answered,
        data: Refreshed(
            cause: .refresh,
            outcome: .changed,
            instant: answered,
            displays: [display, compactDisplay],
            definition: WidgetDefinition(
                kind: .feed,
                timeZone: "Asia/Tokyo",
                name: "Lighthouse",
                actions: [QuickAction(title: "New", icon: "square.and.pencil", url: "exampleapp://new")],
                insets: InsetsOverride(top: 1, leading: 2, bottom: 5, trailing: 10),
                link: "https://example.org/",
                hideWhenEmpty: true,
                dateStyle: .short,
                show: .all,
                private: true
            ),
            interaction: InteractionState(
                expanded: true,
                position: 3,
                seed: 4711,
                shownKey: "city",
                displays: [phone: DisplayInteraction(expanded: false, position: 1, shownKey: "country")]
            ),
            contentSequence: sequence,
            content: contentReference,
            hasContent: true,
            contentDate: answered,
            times: CycleTimes(answered: times.answered, committed: times.committed)
        )
    )
    static let refreshedFailed = Event(
        .refreshed(widget),
        widget: widget,
        range: range,
        time: answered,
        data: Refreshed(
            cause: .refresh,
            outcome: .failed,
            failure: failure,
            instant: answered,
            displays: [display],
            definition: WidgetDefinition(kind: .feed),
            interaction: InteractionState(),
            isRefreshing: true,
            isPushed: true,
            isMissing: true,
            times: CycleTimes(answered: times.answered, committed: times.committed)
        )
    )
    static let laidOut = Event(
        .laidOut(widget),
        widget: widget,
        range: range,
        time: answered,
        data: LaidOut(
            cause: .refresh,
            outcome: .changed,
            contentIsMissing: false,
            hasContent: true,
            contentDate: answered,
            displays: [phone: laidOutState],
            summary: "A first post",
            engine: LayoutEngineVersion(version: 1, fonts: digest),
            times: times
        )
    )
    static let laidOutFailed = Event(
        .laidOut(widget),
        widget: widget,
        range: range,
        time: answered,
        data: LaidOut(
            cause: .refresh,
            outcome: .failed,
            failure: failure,
            contentIsMissing: true,
            hasContent: true,
            displays: [phone: DisplayState(digest: digest, height: 132)],
            summary: "",
            engine: LayoutEngineVersion(version: 1),
            times: times
        )
    )
    static let layoutChanged = Event(
        .layout(widget, on: phone),
        widget: widget,
        range: range,
        time: answered,
        data: LayoutChanged(display: phone, digest: digest, layout: layout, rowChanges: rowChanges)
    )
    static let update = Event(
        .update(.newData, widget),
        widget: widget,
        range: range,
        offset: offset,
        time: answered,
        data: Update(
            result: .newData,
            reason: .visibleChange,
            cause: .refresh,
            outcome: .changed,
            changed: [phone],
            displays: [phone: displayState],
            hasContent: true,
            contentDate: answered,
            times: times,
            summary: "A first post",
            previousNewData: sequence.previous
        )
    )
    static let updateFailed = Event(
        .update(.failed, widget),
        widget: widget,
        range: SequenceRange(first: 1, sequence: 3) ?? range,
        offset: offset.next,
        time: answered,
        data: Update(
            result: .failed,
            reason: .transient,
            cause: .refresh,
            outcome: .failed,
            failure: failure,
            changed: [],
            displays: [phone: DisplayState(digest: digest, height: 132)],
            hasContent: true,
            contentDate: answered,
            times: times,
            summary: "A first post"
        )
    )
    static let openLease = Lease(
        id: lease,
        source: source,
        url: "https://example.org/feed",
        headers: [RequestHeader(name: "Accept-Language", value: "de")],
        allowPrivateNetworks: true,
        validators: Validators(entityTag: "\"a\""),
        bodyDigest: digest,
        parsings: [Parsing(kind: .feed)],
        mayFollowPages: true,
        avoidsHTTP2: true,
        durationMilliseconds: 30_000
    )

    static func valid<Value>(_ value: Value?) -> Value {
        guard let value else { preconditionFailure("the samples are written with valid values") }
        return value
    }
}

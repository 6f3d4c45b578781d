// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import WidgetSchema

/// The JSON document that describes a widget in the HTTP interface.
struct WidgetDocument: Codable, Hashable, Sendable {
    struct DisplayDocument: Codable, Hashable, Sendable {
        var digest: ContentDigest
        var height: Double
        /// The time of the last visible change; absent if it is unknown.
        var changed: Instant?
        /// The next time at which the display may look different without new content; absent if there is none.
        var nextCertainChange: Instant?
        /// The URL of the PNG picture; `svg` and `layout` are the URLs of the SVG picture and the layout.
        var png: String
        var svg: String
        var layout: String
    }

    var id: WidgetID
    /// The kind of the widget; absent if the gateway's configuration does not contain the widget.
    var kind: WidgetKind?
    var name: String?
    /// The index of the widget in the configuration, from 0; absent if the widget is not configured.
    var position: Int?
    /// The URL of the source, with `…` in place of its query; `push` if the content is pushed, and absent if the widget is
    /// not configured.
    var source: String?
    var sequence: SequenceNumber
    var result: UpdateResult
    var reason: Reason
    var cause: Cause
    var outcome: Outcome
    var failure: AttemptFailure?
    var hasContent: Bool
    var contentDate: Instant?
    var times: CycleTimes
    var summary: String
    /// The earliest time at which the widget's appearance may change; absent if this time is unknown.
    var nextChange: Instant?
    /// The next time at which the widget may look different without new content, such as midnight; absent if there is
    /// none.
    var nextCertainChange: Instant?
    /// The time of the next attempt to fetch the content; absent if there will be none by itself.
    var nextAttempt: Instant?
    var displays: [DisplayName: DisplayDocument]

    init(_ update: StreamedUpdate, gateway: GatewayParts, now: Instant) {
        let data = update.event.data
        let configured = gateway.live.widget(update.widget)
        id = update.widget
        kind = configured?.definition.kind
        name = configured?.definition.name
        position = configured?.fileIndex
        source = configured.map { $0.source.map { ShownURL.text($0.url) } ?? TidingsConfiguration.pushedSource }
        sequence = update.range.sequence
        (result, reason, cause, outcome) = (data.result, data.reason, data.cause, data.outcome)
        failure = data.failure
        (hasContent, contentDate, times, summary) = (data.hasContent, data.contentDate, data.times, data.summary)
        let changes = gateway.nextChanges(update, now: now)
        (nextChange, nextCertainChange, nextAttempt) = (changes.earliest, changes.certain, changes.attempt)
        failure?.nextAttempt = nextAttempt
        displays = Self.displays(update, gateway: gateway, now: now)
    }

    static func displays(_ update: StreamedUpdate, gateway: GatewayParts, now: Instant) -> [DisplayName:
        DisplayDocument]
    {
        var displays: [DisplayName: DisplayDocument] = [:]
        for (display, state) in update.event.data.displays {
            let address = "\(gateway.access.basePath)/widgets/\(update.widget)/\(display)"
            displays[display] = DisplayDocument(
                digest: state.digest,
                height: state.height,
                changed: state.changed,
                nextCertainChange: state.nextChange.map { AnnouncedFetches.notPast($0, at: now) },
                png: address + ".png",
                svg: address + ".svg",
                layout: address + ".json"
            )
        }
        return displays
    }
}

/// A page of widgets.
struct WidgetList: Codable, Hashable, Sendable {
    var widgets: [WidgetDocument]
    /// The cursor of the next page; absent on the last page.
    var next: String?
}

/// The displays of a widget.
struct DisplayList: Codable, Hashable, Sendable {
    var widget: WidgetID
    var sequence: SequenceNumber
    var displays: [DisplayName: WidgetDocument.DisplayDocument]
}

/// A page of a widget's stored updates.
struct UpdatesPage: Codable, Hashable, Sendable {
    var widget: WidgetID
    var updates: [Event<Update>]
    /// The sequence number at which the next page begins; absent on the last page.
    var next: SequenceNumber?
}

/// A cycle that was caused by a command or a push, with its verdict if the verdict came in time.
struct CycleDocument: Codable, Hashable, Sendable {
    var widget: WidgetID
    /// The number of the cycle; absent while the cache has not answered, because the origin is slow.
    var sequence: SequenceNumber?
    /// The last cycle before the command; present only without `sequence`, which will be higher.
    var after: SequenceNumber?
    var result: UpdateResult?
    var reason: Reason?
    /// The end of the pause that the host has asked for; present if it kept the command from causing a fetch.
    var blockedUntil: Instant?
    var changed: [DisplayName]?
    var update: Event<Update>?
    /// A note for the client, such as `'forecast' was not used`; absent if there is none.
    var note: String?

    /// Creates the document of a command that the cache has not answered.
    init(_ widget: WidgetID, after: SequenceNumber) {
        self.widget = widget
        self.after = after
    }

    init(_ answer: CycleAnswer, _ update: StreamedUpdate?) {
        widget = answer.widget
        sequence = answer.sequence
        result = update?.event.data.result
        reason = update?.event.data.reason
        blockedUntil = update?.event.data.blockedUntil
        changed = update?.event.data.changed
        self.update = update?.event
    }
}

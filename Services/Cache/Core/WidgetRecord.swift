// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What the cache knows of one widget: its last cycle's state.
struct WidgetRecord: Codable, Hashable, Sendable {
    /// The last cycle.
    var head: SequenceNumber
    /// Whether that was its last one.
    var isRemoved: Bool
    var definition: WidgetDefinition
    /// Stored apart, for most widgets have the same.
    var displays: [Display] = []
    var source: SourceID
    var interaction: InteractionState
    var content: ContentReference?
    /// The keys of a content of kind `keyValue`, which commands move on along.
    var keys: [String]?
    /// The cycle that brought the content.
    var contentSequence: SequenceNumber?
    var contentDate: Instant?
    /// Whether hosts should show the widget, where a push said so.
    var hasContent: Bool?
    /// The moment that the last cycle shows, of a widget that looks different on another day.
    var instant: Instant?
    /// How the last attempt failed; nil where it went well.
    var failure: AttemptFailure?
    /// Set while a request that a command asked for is scheduled or in flight, and there is no content yet.
    var isRefreshing: Bool?
    /// Whether the next outcome shows another value, as `performUpdate` wants it.
    var movesOn: Bool?

    private enum CodingKeys: String, CodingKey {
        case head, isRemoved, definition, source, interaction
        case content, keys, contentSequence, contentDate, hasContent
        case instant, failure, isRefreshing, movesOn
    }

    init(_ plan: WidgetPlan) {
        head = .zero
        isRemoved = false
        definition = plan.definition
        displays = plan.displays
        source = plan.source.id
        interaction = InteractionState()
    }

    /// Whether its content was made of the source's bytes in another way than the plan's.
    func wantsOtherContent(by plan: WidgetPlan) -> Bool { content.map { $0.parsing != plan.parsing.key } ?? false }

    mutating func dropContent() {
        content = nil
        keys = nil
        contentSequence = nil
        contentDate = nil
        hasContent = nil
        failure = nil
        isRefreshing = nil
        movesOn = nil
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The record of one widget: the state of its last cycle.
struct WidgetRecord: Codable, Hashable, Sendable {
    /// The last cycle.
    var head: SequenceNumber
    /// A Boolean value that indicates whether the widget was removed, so that this cycle is its last.
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
    /// A Boolean value that indicates whether a push said that hosts should show the widget; nil if none did.
    var hasContent: Bool?
    /// The moment that the last cycle shows, of a widget that looks different on another day.
    var instant: Instant?
    /// The failure of the last attempt; nil if it succeeded.
    var failure: AttemptFailure?
    /// Set while a request that a command asked for is scheduled or in flight, and there is no content yet.
    var isRefreshing: Bool?
    /// A Boolean value that indicates whether the next outcome shows another value, because `performUpdate` was sent.
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

    /// The content that the last cycle brought; nil if it brought none.
    var newContent: ContentDigest? { contentSequence == head ? content?.digest : nil }

    /// Returns whether the content comes from another parsing than the plan's.
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

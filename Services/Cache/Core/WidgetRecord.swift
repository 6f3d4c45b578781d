// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of one widget after its last cycle.
struct WidgetRecord: Codable, Hashable, Sendable {
    /// The sequence number of the last cycle.
    var head: SequenceNumber
    /// A Boolean value that indicates whether the widget was removed.
    var isRemoved: Bool
    var definition: WidgetDefinition
    /// The displays of the widget; ``DisplaySets`` stores them, because most widgets have the same ones.
    var displays: [Display] = []
    var source: SourceID
    var interaction: InteractionState
    var content: ContentReference?
    /// The keys of a content of kind `keyValue`, of which commands select the next one; nil for other kinds.
    var keys: [String]?
    /// The cycle that introduced the content.
    var contentSequence: SequenceNumber?
    var contentDate: Instant?
    /// The value of ``PushRequest/hasContent`` in the last push; nil if the content decides whether to show the widget.
    var hasContent: Bool?
    /// The time that the last cycle shows; nil if the widget looks the same every day.
    var instant: Instant?
    /// The failure of the last attempt; nil if it succeeded.
    var failure: AttemptFailure?
    /// A Boolean value that indicates whether the widget has no content yet, and waits for a fetch that a command
    /// caused.
    @FalseIfAbsent var isRefreshing = false
    /// A Boolean value that indicates whether the next outcome selects the next value, as `performUpdate` requires.
    @FalseIfAbsent var advances = false

    private enum CodingKeys: String, CodingKey {
        case head, isRemoved, definition, source, interaction
        case content, keys, contentSequence, contentDate, hasContent
        case instant, failure, isRefreshing
        // The name in stores of earlier versions.
        case advances = "movesOn"
    }

    init(_ plan: WidgetPlan) {
        head = .zero
        isRemoved = false
        definition = plan.definition
        displays = plan.displays
        source = plan.source.id
        interaction = InteractionState()
    }

    /// The content that the last cycle introduced; nil if it introduced none.
    var newContent: ContentDigest? { contentSequence == head ? content?.digest : nil }

    /// Returns whether the content was made with another parsing than that of the plan.
    func wantsOtherContent(by plan: WidgetPlan) -> Bool { content.map { $0.parsing != plan.parsing.key } ?? false }

    mutating func dropContent() {
        content = nil
        keys = nil
        contentSequence = nil
        contentDate = nil
        hasContent = nil
        failure = nil
        isRefreshing = false
        advances = false
    }
}

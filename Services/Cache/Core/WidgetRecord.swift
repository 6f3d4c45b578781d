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
    /// Stored separately, because most widgets have the same displays.
    var displays: [Display] = []
    var source: SourceID
    var interaction: InteractionState
    var content: ContentReference?
    /// The keys of a content of kind `keyValue`; commands select the next one.
    var keys: [String]?
    /// The cycle that introduced the content.
    var contentSequence: SequenceNumber?
    var contentDate: Instant?
    /// The value from a push for whether hosts should show the widget; nil if the content decides.
    var hasContent: Bool?
    /// The time that the last cycle shows; nil if the widget looks the same every day.
    var instant: Instant?
    /// The failure of the last attempt; nil if it succeeded.
    var failure: AttemptFailure?
    /// A Boolean value that indicates whether there is no content yet and a request that a command caused is pending.
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

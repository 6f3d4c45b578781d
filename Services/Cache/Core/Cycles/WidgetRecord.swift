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
    /// The displays of the widget; they are stored in ``DisplaySets``, because most widgets have the same displays.
    var displays: [Display] = []
    var source: SourceID
    var interaction: InteractionState
    var content: ContentReference?
    /// The keys of the current content if it is of kind `keyValue`; nil for other kinds.
    ///
    /// Commands such as `nextValue` select the next of these keys.
    var keys: [String]?
    /// The sequence number of the cycle that introduced the current content; nil if the widget has no content.
    var contentSequence: SequenceNumber?
    var contentDate: Instant?
    /// The value of ``PushRequest/hasContent`` in the last push.
    ///
    /// Nil if the push did not set the value, or if there was no push.
    var hasContent: Bool?
    /// The last confirmation of the content; nil if it is unknown, and in records of earlier versions.
    var lastSuccess: LastSuccess?
    /// The time from which panels mark the content as stale, as in the last cycle; nil if they never do.
    var staleAt: Instant?
    /// The time of the last cycle; nil if it was made by an earlier version.
    var committed: Instant?
    /// The failure of the last fetch; nil if it succeeded.
    var failure: AttemptFailure?
    /// A Boolean value that indicates whether the widget now shows "Refreshing…", because a command requested its first
    /// content.
    @OmittedIfDefault var isRefreshing = false
    /// A Boolean value that indicates whether the widget shows its next value after the next outcome of a fetch.
    ///
    /// The command `performUpdate` sets this property to true.
    @OmittedIfDefault var advances = false
    /// The devices on which the widget shows its next value after the next outcome of a fetch; nil if there are none.
    ///
    /// The command `performUpdate` with a display adds its device.
    var advancingDevices: [DisplayName]?
    /// The time at which `performUpdate` without a display last advanced the widget without a fetch; nil if it never did.
    var advancedAt: Instant?

    private enum CodingKeys: String, CodingKey {
        case head, isRemoved, definition, source, interaction
        case content, keys, contentSequence, contentDate, hasContent
        case lastSuccess, staleAt, committed, failure, isRefreshing
        case advancingDevices, advancedAt
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

    /// Creates the record of a widget that only consumers know, and which is therefore removed.
    init(removedFrom source: SourceID) {
        head = .zero
        isRemoved = true
        definition = WidgetDefinition(kind: .feed)
        self.source = source
        interaction = InteractionState()
    }

    /// The digest of the content that the last cycle introduced; nil if that cycle introduced none.
    var newContent: ContentDigest? { contentSequence == head ? content?.digest : nil }

    /// A Boolean value that indicates whether panels mark the content as stale since the last cycle.
    var showsStaleMark: Bool {
        guard let staleAt, let committed else { return false }
        return staleAt <= committed
    }

    /// Returns whether the current content was made with another parsing than `plan` requires.
    func wantsOtherContent(by plan: WidgetPlan) -> Bool { content.map { $0.parsing != plan.parsing.key } ?? false }

    mutating func dropContent() {
        content = nil
        keys = nil
        contentSequence = nil
        contentDate = nil
        lastSuccess = nil
        hasContent = nil
        failure = nil
        isRefreshing = false
        advances = false
        advancingDevices = nil
    }

    /// Makes the widget show its next value after the next outcome of a fetch, on one device or, if it is nil, on all.
    mutating func requestAdvance(on device: DisplayName?) {
        guard let device else { return advances = true }
        if advancingDevices?.contains(device) != true { advancingDevices = (advancingDevices ?? []) + [device] }
    }

    /// Shows the next value where commands have requested this for the outcome of a fetch.
    mutating func advanceAsRequested() {
        if advances {
            interaction.advance(among: keys)
        } else {
            for device in advancingDevices ?? [] where displays.contains(where: { $0.device == device }) {
                interaction.advance(among: keys, on: device)
            }
        }
        advances = false
        advancingDevices = nil
    }
}

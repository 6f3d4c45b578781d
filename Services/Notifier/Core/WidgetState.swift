// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The state of a widget as of its last update; the next cycle is compared with this state.
struct WidgetState: Hashable, Sendable {
    /// The layout on each display.
    ///
    /// Empty after the widget was removed, so that the widget counts as new if it is added again.
    var displays: [DisplayName: ShownDisplay] = [:]
    /// A Boolean value that indicates whether the widget showed content in its last update, not a placeholder.
    var showedContent = false
    /// The digests that subscribers were last told to draw; nil if they are those of ``displays``.
    ///
    /// They differ only while content is missing: a `noData` placeholder is not announced, one of a failure is. Content
    /// that looks like the last one is not new data then, for example after the cache's store was lost.
    var announced: [DisplayName: ContentDigest]?
    /// A Boolean value that indicates whether the last update told displays to hide the widget.
    var wasHidden = false
    /// The sequence number of the last `newData` update.
    var lastNewData: SequenceNumber?
    /// The time at which the last cycle was committed; nil if its message did not contain the time.
    var committed: Instant?

    /// The digests that subscribers draw, if they follow the updates.
    var drawn: [DisplayName: ContentDigest] { announced ?? displays.mapValues(\.digest) }

    /// Returns the time of the last visible change of a display that shows the layout `digest` now; nil if it is unknown.
    ///
    /// Of two changes, the later one has the later second, because HTTP compares times in whole seconds.
    func lastChange(of display: DisplayName, showing digest: ContentDigest, now: Instant) -> Instant? {
        guard let before = displays[display] else { return now }
        guard before.digest != digest else { return before.changed }
        return before.changed.map { max(now, Instant(milliseconds: ($0.milliseconds / 1_000 + 1) * 1_000)) } ?? now
    }
}

/// The layout that a display shows.
struct ShownDisplay: Hashable, Sendable {
    var digest: ContentDigest
    /// The time of the last change of ``digest``.
    ///
    /// Nil if it is unknown, because the store is of a version that did not store it, and nothing has changed since.
    var changed: Instant?
}

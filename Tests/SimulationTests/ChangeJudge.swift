// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The judge of the changes that updates name, at their commit: they are the displays that a reader of all updates must
/// draw, even if the attempt failed.
///
/// A subscriber cannot judge all updates. If a range ends with a placeholder, it does not know whether an earlier update
/// announced this placeholder.
struct ChangeJudge {
    /// The digests that a reader of all updates draws, of the widgets for which they are known.
    private var drawn: [WidgetID: [DisplayName: ContentDigest]] = [:]
    /// A Boolean value that indicates whether nothing is drawn of the other widgets.
    private var isComplete = true

    /// Forgets what is drawn, because the notifier's store was put back.
    mutating func forget() { (drawn, isComplete) = ([:], false) }

    /// Returns what is wrong with the changes of an update; nil if they are right.
    mutating func judge(_ update: Update, of widget: WidgetID) -> String? {
        let new = update.displays.mapValues(\.digest)
        let isRemoved = update.cause == .removed
        let isPlaceholder = update.contentDate == nil && !isRemoved
        guard let old = drawn[widget] ?? (isComplete ? [:] : nil) else {
            if !isPlaceholder { drawn[widget] = new }
            return nil
        }
        // A placeholder that is not announced is not drawn. A display that is shown again counts as new.
        drawn[widget] = isPlaceholder && update.changed.isEmpty ? old.filter { new[$0.key] != nil } : new
        let isSilent = isRemoved || isPlaceholder && update.result == .noData
        let changed = isSilent ? [] : new.filter { old[$0.key] != $0.value }.keys.sorted()
        return update.changed == changed ? nil : "\(update.changed), not \(changed)"
    }
}

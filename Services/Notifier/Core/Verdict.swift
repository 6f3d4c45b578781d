// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The notifier's result for one cycle, and the reason for this result.
///
/// The notifier compares the cycle with the widget's previous update.
struct Verdict: Hashable, Sendable {
    var result: UpdateResult
    var reason: Reason
    /// The displays whose digests differ from those in the previous update, sorted by name; empty if the result is
    /// `noData`.
    var changed: [DisplayName]
    /// The states of all displays.
    ///
    /// The `rowChanges` of a display are nil if they do not start from the layout in the widget's previous update.
    var displays: [DisplayName: DisplayState]
    /// One line of text from the first changed display; if no display changed, from the widget's first display.
    var summary: String

    /// Determines the verdict of a laid-out cycle; `state` is the widget's state as of the previous update.
    ///
    /// The conditions are checked in order, and the first that is true decides.
    init(of laidOut: LaidOut, after state: WidgetState) {
        displays = laidOut.displays
        for (name, display) in laidOut.displays {
            if let from = display.rowChanges?.from, from != state.digests[name] || from == display.digest {
                displays[name]?.rowChanges = nil
            }
        }
        // An added display has no earlier digest, so it counts as changed. A removed display is ignored.
        changed = laidOut.displays.filter { state.digests[$0.key] != $0.value.digest }.keys.sorted()

        summary = changed.first.flatMap { laidOut.displays[$0]?.summary } ?? laidOut.summary

        let isFirstContent = !state.hadContent && !laidOut.displays.isEmpty
        if laidOut.cause == .removed {
            (result, reason) = (.newData, .removed)
        } else if laidOut.contentIsMissing, !(state.wasHidden && laidOut.hasContent) {
            // Without content, only a hidden widget that is shown again is new data.
            (result, reason) = laidOut.outcome == .failed ? (.failed, Self.failure(laidOut)) : (.noData, .missing)
            // Clients load the layouts of changed displays, but they need not load a placeholder.
            if result == .noData { changed = [] }
        } else if !changed.isEmpty || isFirstContent {
            (result, reason) = (.newData, isFirstContent ? .firstContent : .visibleChange)
        } else if laidOut.outcome == .failed {
            (result, reason) = (.failed, Self.failure(laidOut))
        } else {
            (result, reason) = (.noData, Self.noData(laidOut))
        }
    }

    /// Returns the reason for the result `failed`, which depends on the class of the failure.
    private static func failure(_ laidOut: LaidOut) -> Reason {
        switch laidOut.failure?.class {
        case .transient, nil: .transient
        case .rateLimited: .rateLimited
        case .permanent: .permanent
        case .malformed: .malformed
        }
    }

    /// Returns the reason for the result `noData`: the earliest step at which it was known that nothing visible had
    /// changed.
    private static func noData(_ laidOut: LaidOut) -> Reason {
        switch laidOut.outcome {
        case .notModified: .notModified
        case .sameBytes: .sameBytes
        case .sameContent: .sameContent
        case .changed, .failed: .sameRows
        case .fresh:
            switch laidOut.cause {
            case .start, .refresh: .fresh
            // Something changed, such as a choice, the configuration, pushed content or the day, but it is not visible.
            case .interaction, .configuration, .clock, .push, .removed: .sameRows
            }
        }
    }
}

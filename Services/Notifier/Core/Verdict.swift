// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The result of one cycle, with its reason, relative to the previous update.
struct Verdict: Hashable, Sendable {
    var result: UpdateResult
    var reason: Reason
    /// The displays that differ from the previous update, sorted; none if the content is missing.
    var changed: [DisplayName]
    /// The states of all displays.
    ///
    /// Row changes are included only if they start from the published layout.
    var displays: [DisplayName: DisplayState]
    /// One line of text from the first changed display; if none changed, from the widget's first display.
    var summary: String

    /// Determines the verdict of a laid-out cycle for a widget in a state.
    ///
    /// The first matching condition decides.
    init(of laidOut: LaidOut, after state: WidgetState) {
        displays = laidOut.displays
        for (name, display) in laidOut.displays {
            if let from = display.rowChanges?.from, from != state.digests[name] || from == display.digest {
                displays[name]?.rowChanges = nil
            }
        }
        // An added display has no earlier digest; a removed one is ignored.
        changed = laidOut.displays.filter { state.digests[$0.key] != $0.value.digest }.keys.sorted()

        summary = changed.first.flatMap { laidOut.displays[$0]?.summary } ?? laidOut.summary

        let isFirstContent = !state.hadContent && !laidOut.displays.isEmpty
        if laidOut.cause == .removed {
            (result, reason) = (.newData, .removed)
        } else if laidOut.contentIsMissing, !(state.wasHidden && laidOut.hasContent) {
            // Without content, only a hidden widget that is shown again is new data.
            (result, reason) = laidOut.outcome == .failed ? (.failed, Self.failure(laidOut)) : (.noData, .missing)
            // A placeholder is nothing to load for whoever looks at the changed displays.
            if result == .noData { changed = [] }
        } else if !changed.isEmpty || isFirstContent {
            (result, reason) = (.newData, isFirstContent ? .firstContent : .visibleChange)
        } else if laidOut.outcome == .failed {
            (result, reason) = (.failed, Self.failure(laidOut))
        } else {
            (result, reason) = (.noData, Self.noData(laidOut))
        }
    }

    /// Returns the reason for a failed attempt.
    private static func failure(_ laidOut: LaidOut) -> Reason {
        switch laidOut.failure?.class {
        case .transient, nil: .transient
        case .rateLimited: .rateLimited
        case .permanent: .permanent
        case .malformed: .malformed
        }
    }

    /// Returns the earliest step that showed that nothing visible changed.
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

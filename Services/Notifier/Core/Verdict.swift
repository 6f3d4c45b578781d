// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The result of one cycle, with its reason, relative to the update before it.
struct Verdict: Hashable, Sendable {
    var result: UpdateResult
    var reason: Reason
    /// The displays that show something else than with the update before, sorted; whatever the result is.
    var changed: [DisplayName]
    /// Every display; row changes only where they start from what was announced.
    var displays: [DisplayName: DisplayState]
    /// One line of what the first changed display shows; if none changed, of what the widget's first display shows.
    var summary: String

    /// Judges what was laid out after a widget showed `state`; the first line that fits gives the result.
    init(of laidOut: LaidOut, after state: WidgetState) {
        displays = laidOut.displays
        for (name, display) in laidOut.displays {
            if let from = display.rowChanges?.from, from != state.digests[name] || from == display.digest {
                displays[name]?.rowChanges = nil
            }
        }
        // An added display has no digest before; one that was taken away is not looked at.
        changed = laidOut.displays.filter { state.digests[$0.key] != $0.value.digest }.keys.sorted()

        summary = changed.first.flatMap { laidOut.displays[$0]?.summary } ?? laidOut.summary

        let isFirstContent = !state.hadContent && !laidOut.displays.isEmpty
        if laidOut.cause == .removed {
            (result, reason) = (.newData, .removed)
        } else if laidOut.contentIsMissing, !(state.wasHidden && laidOut.hasContent) {
            // Without content, only showing it again is news.
            (result, reason) = laidOut.outcome == .failed ? (.failed, Self.failure(laidOut)) : (.noData, .missing)
        } else if !changed.isEmpty || isFirstContent {
            (result, reason) = (.newData, isFirstContent ? .firstContent : .visibleChange)
        } else if laidOut.outcome == .failed {
            (result, reason) = (.failed, Self.failure(laidOut))
        } else {
            (result, reason) = (.noData, Self.noData(laidOut))
        }
    }

    /// How a failed attempt failed.
    private static func failure(_ laidOut: LaidOut) -> Reason {
        switch laidOut.failure?.class {
        case .transient, nil: .transient
        case .rateLimited: .rateLimited
        case .permanent: .permanent
        case .malformed: .malformed
        }
    }

    /// How early it was known that nothing visible changed.
    private static func noData(_ laidOut: LaidOut) -> Reason {
        switch laidOut.outcome {
        case .notModified: .notModified
        case .sameBytes: .sameBytes
        case .sameContent: .sameContent
        case .changed, .failed: .sameRows
        case .fresh:
            switch laidOut.cause {
            case .start, .refresh: .fresh
            // Something did change: what was chosen, set up, pushed, the day. It is not seen.
            case .interaction, .configuration, .clock, .push, .removed: .sameRows
            }
        }
    }
}

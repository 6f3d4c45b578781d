// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The notifier's result for one cycle, and the reason for this result.
///
/// The notifier compares the cycle with the widget's previous update.
struct Verdict: Hashable, Sendable {
    var result: UpdateResult
    var reason: Reason
    /// The displays whose digests differ from those that subscribers were last told to draw, sorted by name; empty if the
    /// result is `noData`.
    var changed: [DisplayName]
    /// The states of all displays.
    ///
    /// `DisplayState.rowChanges` contains the differences between the layout that subscribers were last told to draw and
    /// the new layout. It is nil if these layouts are equal, or if the layout service compared the new layout with a
    /// different one.
    var displays: [DisplayName: DisplayState]
    /// One line of text from the first changed display, in the locale of the widget's first display.
    ///
    /// If no display with that locale changed, the text is that of the first display.
    var summary: String

    /// Determines the verdict of a laid-out cycle; `state` is the widget's state as of the previous update.
    ///
    /// The first condition that is true determines the result:
    ///
    /// 1. The widget was removed: `newData`.
    /// 2. The content is missing: `failed` if the fetch failed, `noData` if not. This condition does not apply if the
    ///    cycle shows a hidden widget again.
    /// 3. Content comes back after it was missing, and looks as before on all displays: `noData`.
    /// 4. The widget shows its first content, or the digest of a display changed: `newData`.
    /// 5. The fetch failed: `failed`.
    /// 6. None of these: `noData`.
    init(of laidOut: LaidOut, after state: WidgetState) {
        let drawn = state.drawn
        displays = laidOut.displays
        for (name, display) in laidOut.displays {
            if let from = display.rowChanges?.from, from != drawn[name] || from == display.digest {
                displays[name]?.rowChanges = nil
            }
        }
        // An added display has no earlier digest, so it counts as changed. A removed display is ignored.
        changed = laidOut.displays.filter { drawn[$0.key] != $0.value.digest }.keys.sorted()

        let described = changed.first { laidOut.otherLocales?.contains($0) != true }
        summary = described.flatMap { laidOut.displays[$0]?.summary } ?? laidOut.summary

        let isFirstContent = !state.showedContent && !laidOut.displays.isEmpty
        if laidOut.cause == .removed {
            (result, reason) = (.newData, .removed)
        } else if laidOut.contentIsMissing, !(state.wasHidden && laidOut.hasContent) {
            // Without content, only a hidden widget that is shown again is new data.
            let noData: Reason = laidOut.blockedUntil == nil ? .missing : .blocked
            (result, reason) = laidOut.outcome == .failed ? (.failed, Self.failure(laidOut)) : (.noData, noData)
            // Clients load the layouts of changed displays, but they need not load a placeholder.
            if result == .noData { changed = [] }
        } else if isFirstContent, !state.wasHidden, state.announced != nil, changed.isEmpty {
            (result, reason) = (.noData, .sameRows)
        } else if !changed.isEmpty || isFirstContent {
            (result, reason) = (.newData, isFirstContent ? .firstContent : .visibleChange)
        } else if laidOut.outcome == .failed {
            (result, reason) = (.failed, Self.failure(laidOut))
        } else {
            (result, reason) = (.noData, Self.noData(laidOut))
        }
    }

    /// Returns ``WidgetState/announced`` after this verdict on a cycle without content.
    func announced(after state: WidgetState) -> [DisplayName: ContentDigest]? {
        guard changed.isEmpty else { return nil }
        let digests = displays.mapValues(\.digest)
        // Who sees a display again that was removed in between has no picture of it.
        let drawn = state.drawn.filter { digests[$0.key] != nil }
        // After two equal failures in a row, readers draw the placeholder.
        return state.announced == nil && !state.showedContent && drawn == digests ? nil : drawn
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

    /// Returns the reason for the result `noData` of a cycle that has content.
    ///
    /// The reason says why nothing visible changed:
    ///
    /// - `notModified`: the origin reported that the resource has not changed;
    /// - `sameBytes`: the origin's answer has the same bytes as before;
    /// - `sameContent`: the content is the same as before;
    /// - `sameRows`: something changed, but the layout is the same as before;
    /// - `blocked`: no request was sent to the origin for this cycle, because the host had asked for a pause;
    /// - `fresh`: no request was sent to the origin for this cycle, because none was needed.
    private static func noData(_ laidOut: LaidOut) -> Reason {
        switch laidOut.outcome {
        case .notModified: .notModified
        case .sameBytes: .sameBytes
        case .sameContent: .sameContent
        case .changed, .failed: .sameRows
        case .fresh where laidOut.blockedUntil != nil: .blocked
        case .fresh:
            switch laidOut.cause {
            case .start, .refresh: .fresh
            // Something changed, such as a choice, the configuration, pushed content or the day, but it is not visible.
            case .interaction, .configuration, .clock, .push, .removed: .sameRows
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Notifier

@Suite struct VerdictTests {
    /// A line of the table of results: what was shown, what happened, what is said of it.
    struct Line: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: [String: String]?
        let now: [String: String]
        let (cause, outcome, failure): (Cause, Outcome, AttemptFailure.Class?)
        var isMissing = false
        let (result, reason): (UpdateResult, Reason)
        let changed: [String]
        /// The same line of a widget that has no content now.
        var withoutContent: Line {
            var line = self
            line.isMissing = true
            return line
        }

        init(
            _ description: String,
            _ before: [String: String]?,
            _ now: [String: String],
            _ outcome: Outcome,
            _ failure: AttemptFailure.Class? = nil,
            by cause: Cause = .refresh,
            is verdict: (UpdateResult, Reason),
            _ changed: String...
        ) {
            (testDescription, self.before, self.now) = (description, before, now)
            (self.cause, self.outcome, self.failure) = (cause, outcome, failure)
            (result, reason, self.changed) = (verdict.0, verdict.1, changed)
        }
    }

    @Test func theSummaryIsThatOfTheFirstChangedDisplay() throws {
        let names = try ["compact", "expanded"].map { try display($0) }
        var laidOut = try LaidOut.showing(["compact": "a", "expanded": "c"])
        laidOut.displays[names[1]]?.summary = "c"
        laidOut.summary = "a"
        let digests = [names[0]: try digest(of: "a"), names[1]: try digest(of: "b")]
        let before = WidgetState(digests: digests, showedContent: true)
        #expect(Verdict(of: laidOut, after: before).summary == "c")
        let unchanged = WidgetState(digests: laidOut.displays.mapValues(\.digest), showedContent: true)
        #expect(Verdict(of: laidOut, after: unchanged).summary == "a")
        #expect(Verdict(of: laidOut, after: WidgetState()).summary == "a")
    }

    @Test func theSummaryHasTheLocaleOfTheFirstDisplay() throws {
        let names = try ["compact", "expanded"].map { try display($0) }
        var laidOut = try LaidOut.showing(["compact": "Heute", "expanded": "Today"])
        laidOut.displays[names[0]]?.summary = "Heute"
        laidOut.summary = "Today"
        laidOut.otherLocales = [names[0]]
        #expect(Verdict(of: laidOut, after: WidgetState()).summary == "Today")
        let before = WidgetState(digests: [names[1]: try digest(of: "Today")], showedContent: true)
        let verdict = Verdict(of: laidOut, after: before)
        #expect(verdict.changed == [names[0]] && verdict.summary == "Today")
    }

    @Test func aPlaceholderInPlaceOfAHiddenWidgetIsNewData() throws {
        let digests = [try display("compact"): try digest(of: "a")]
        let hidden = WidgetState(digests: digests, showedContent: true, wasHidden: true)
        var missing = try LaidOut.showing(Self.loading, cause: .configuration, outcome: .fresh, isMissing: true)
        missing.hasContent = true
        let verdict = Verdict(of: missing, after: hidden)
        #expect(verdict.result == .newData)
        #expect(verdict.reason == .visibleChange)
        let shown = WidgetState(digests: hidden.digests, showedContent: true)
        #expect(Verdict(of: missing, after: shown).result == .noData)
    }

    private static let shown = ["compact": "a", "expanded": "a b"]

    private static let loading = ["compact": "Loading…"]
    private static let later = ["compact": "z", "expanded": "a b"]
    private static let longer = ["compact": "a", "expanded": "a b c"]
    private static let watched = ["compact": "a", "expanded": "a b", "watch": "a"]
    private static let error = ["compact": "An error occurred"]
    private static let visible: (UpdateResult, Reason) = (.newData, .visibleChange)

    static let lines: [Line] = [
        // The widget was removed.
        Line("removed", shown, [:], .fresh, by: .removed, is: (.newData, .removed)),
        Line("removed before it had content", nil, [:], .fresh, by: .removed, is: (.newData, .removed)).withoutContent,
        Line("removed after a failure", shown, [:], .failed, .transient, by: .removed, is: (.newData, .removed)),
        // No content yet.
        Line("a placeholder appears", nil, loading, .fresh, by: .start, is: (.noData, .missing)).withoutContent,
        Line("a placeholder stays", nil, [:], .notModified, is: (.noData, .missing)).withoutContent,
        Line("the first attempt fails", nil, error, .failed, .malformed, is: (.failed, .malformed), "compact")
            .withoutContent,
        Line("content goes with its source", shown, loading, .fresh, by: .configuration, is: (.noData, .missing))
            .withoutContent,
        // Something visible differs.
        Line("the first content", nil, shown, .changed, is: (.newData, .firstContent), "compact", "expanded"),
        Line("one display differs", shown, ["compact": "a", "expanded": "a c"], .changed, is: visible, "expanded"),
        Line("a display is added", shown, watched, .fresh, by: .configuration, is: visible, "watch"),
        Line("a new day although the attempt failed", shown, later, .failed, .transient, is: visible, "compact"),
        Line("the same bytes on a new day", shown, later, .sameBytes, is: visible, "compact"),
        Line("show more", shown, longer, .fresh, by: .interaction, is: visible, "expanded"),
        // The attempt failed.
        Line("a transient failure", shown, shown, .failed, .transient, is: (.failed, .transient)),
        Line("too many requests", shown, shown, .failed, .rateLimited, is: (.failed, .rateLimited)),
        Line("permanently gone", shown, shown, .failed, .permanent, is: (.failed, .permanent)),
        Line("not understood", shown, shown, .failed, .malformed, is: (.failed, .malformed)),
        Line("a failure that says nothing", shown, shown, .failed, is: (.failed, .transient)),
        // It went well, and nothing visible changed.
        Line("not modified", shown, shown, .notModified, is: (.noData, .notModified)),
        Line("same bytes", shown, shown, .sameBytes, is: (.noData, .sameBytes)),
        Line("same content", shown, shown, .sameContent, is: (.noData, .sameContent)),
        Line("a change below the fold", shown, shown, .changed, is: (.noData, .sameRows)),
        Line("fresh", shown, shown, .fresh, is: (.noData, .fresh)),
        Line("an interaction that changes nothing", shown, shown, .fresh, by: .interaction, is: (.noData, .sameRows)),
        Line("a reload that changes nothing", shown, shown, .fresh, by: .configuration, is: (.noData, .sameRows)),
        Line("a midnight that changes nothing", shown, shown, .fresh, by: .clock, is: (.noData, .sameRows)),
        Line("a display is taken away", shown, ["compact": "a"], .fresh, by: .configuration, is: (.noData, .sameRows)),
    ]

    @Test(arguments: lines) func eachLineOfTheTableHasItsResult(line: Line) throws {
        var state = WidgetState()
        if let before = line.before {
            state.showedContent = true
            for (name, shown) in before { state.digests[try display(name)] = try digest(of: shown) }
        }
        let laidOut = try LaidOut.showing(
            line.now,
            cause: line.cause,
            outcome: line.outcome,
            failure: line.failure,
            isMissing: line.isMissing
        )
        let verdict = Verdict(of: laidOut, after: state)
        #expect(verdict.result == line.result)
        #expect(verdict.reason == line.reason)
        #expect(verdict.changed.map(\.rawValue) == line.changed)
    }

    @Test func theFirstContentIsNewDataEvenWhereItLooksLikeThePlaceholder() throws {
        let state = WidgetState(digests: [try display("compact"): try digest(of: "nothing")], showedContent: false)
        let verdict = Verdict(of: try .showing(["compact": "nothing"]), after: state)
        #expect(verdict.result == .newData && verdict.reason == .firstContent && verdict.changed.isEmpty)
    }

    @Test func contentAfterAPlaceholderIsComparedWithWhatReadersDraw() throws {
        let (compact, expanded) = (try display("compact"), try display("expanded"))
        let placeholder = [compact: try digest(of: "actions"), expanded: try digest(of: "Open the app")]
        // Nobody was told to draw the first placeholder, although one display has the same layout with content.
        var state = WidgetState(digests: placeholder, showedContent: false)
        state.announced = [:]
        let first = Verdict(of: try .showing(["compact": "actions", "expanded": "b"]), after: state)
        #expect(first.result == .newData && first.changed == [compact, expanded])
        // Readers still draw the content before the placeholder.
        state.announced = [compact: try digest(of: "a"), expanded: try digest(of: "b")]
        let other = Verdict(of: try .showing(["compact": "actions", "expanded": "b"]), after: state)
        #expect(other.result == .newData && other.changed == [compact])
        let same = Verdict(of: try .showing(["compact": "a", "expanded": "b"]), after: state)
        #expect(same.result == .noData && same.reason == .sameRows && same.changed.isEmpty)
        let shown = ["compact": "actions", "expanded": "Open the app"]
        let failed = try LaidOut.showing(shown, outcome: .failed, failure: .transient, isMissing: true)
        #expect(Verdict(of: failed, after: state).changed == [compact, expanded])
        state.announced = nil
        #expect(Verdict(of: failed, after: state).changed.isEmpty)
    }

    @Test func rowChangesPassOnlyWhereTheyStartFromWhatWasAnnounced() throws {
        let (compact, expanded) = (try display("compact"), try display("expanded"))
        let digests = [compact: try digest(of: "a"), expanded: try digest(of: "a b")]
        let state = WidgetState(digests: digests, showedContent: true)
        var laidOut = try LaidOut.showing(["compact": "z", "expanded": "z a"])
        laidOut.displays[compact]?.rowChanges = RowChanges(from: try digest(of: "a"), inserted: [0], deleted: [0])
        laidOut.displays[expanded]?.rowChanges = RowChanges(from: try digest(of: "x"), inserted: [0], deleted: [])
        let verdict = Verdict(of: laidOut, after: state)
        #expect(verdict.displays[compact]?.rowChanges == laidOut.displays[compact]?.rowChanges)
        #expect(verdict.displays[expanded]?.rowChanges == nil)
        #expect(verdict.changed == [compact, expanded])
    }
}

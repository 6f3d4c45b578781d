// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing
import WidgetSchema

@testable import Notifier

@Suite struct VerdictTests {
    /// A line of the table of results: what was shown, what happened, what is said of it.
    struct Line: Sendable, CustomTestStringConvertible {
        var what: String
        var before: [String: String]?
        var now: [String: String]
        var cause = Cause.refresh
        var outcome = Outcome.changed
        var failure: AttemptFailure.Class?
        var isMissing = false
        var result: UpdateResult
        var reason: Reason
        var changed: [String] = []

        var testDescription: String { what }
    }

    @Test func theSummaryIsThatOfTheFirstChangedDisplay() throws {
        let names = try ["compact", "expanded"].map { try display($0) }
        var laidOut = try LaidOut.showing(["compact": "a", "expanded": "c"])
        laidOut.displays[names[1]]?.summary = "c"
        laidOut.summary = "a"
        let before = WidgetState(
            digests: [names[0]: try digest(of: "a"), names[1]: try digest(of: "b")],
            hadContent: true
        )
        #expect(Verdict(of: laidOut, after: before).summary == "c")
        let unchanged = WidgetState(digests: laidOut.displays.mapValues(\.digest), hadContent: true)
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
        let before = WidgetState(digests: [names[1]: try digest(of: "Today")], hadContent: true)
        let verdict = Verdict(of: laidOut, after: before)
        #expect(verdict.changed == [names[0]] && verdict.summary == "Today")
    }

    @Test func aPlaceholderInPlaceOfAHiddenWidgetIsNewData() throws {
        let hidden = WidgetState(
            digests: [try display("compact"): try digest(of: "a")],
            hadContent: true,
            wasHidden: true
        )
        var missing = try LaidOut.showing(
            ["compact": "Loading…"],
            cause: .configuration,
            outcome: .fresh,
            isMissing: true
        )
        missing.hasContent = true
        let verdict = Verdict(of: missing, after: hidden)
        #expect(verdict.result == .newData)
        #expect(verdict.reason == .visibleChange)
        let shown = WidgetState(digests: hidden.digests, hadContent: true)
        #expect(Verdict(of: missing, after: shown).result == .noData)
    }

    private static let shown = ["compact": "a", "expanded": "a b"]

    static let lines: [Line] = [
        // The widget was removed.
        Line(
            what: "removed",
            before: shown,
            now: [:],
            cause: .removed,
            outcome: .fresh,
            result: .newData,
            reason: .removed
        ),
        Line(
            what: "removed before it had content",
            before: nil,
            now: [:],
            cause: .removed,
            outcome: .fresh,
            isMissing: true,
            result: .newData,
            reason: .removed
        ),
        Line(
            what: "removed after a failure",
            before: shown,
            now: [:],
            cause: .removed,
            outcome: .failed,
            failure: .transient,
            result: .newData,
            reason: .removed
        ),
        // No content yet.
        Line(
            what: "a placeholder appears",
            before: nil,
            now: ["compact": "Loading…"],
            cause: .start,
            outcome: .fresh,
            isMissing: true,
            result: .noData,
            reason: .missing
        ),
        Line(
            what: "a placeholder stays",
            before: nil,
            now: [:],
            cause: .refresh,
            outcome: .notModified,
            isMissing: true,
            result: .noData,
            reason: .missing
        ),
        Line(
            what: "the first attempt fails",
            before: nil,
            now: ["compact": "An error occurred"],
            outcome: .failed,
            failure: .malformed,
            isMissing: true,
            result: .failed,
            reason: .malformed,
            changed: ["compact"]
        ),
        Line(
            what: "content is dropped with its source",
            before: shown,
            now: ["compact": "Loading…"],
            cause: .configuration,
            outcome: .fresh,
            isMissing: true,
            result: .noData,
            reason: .missing
        ),
        // Something visible differs.
        Line(
            what: "the first content",
            before: nil,
            now: shown,
            result: .newData,
            reason: .firstContent,
            changed: ["compact", "expanded"]
        ),
        Line(
            what: "one display differs",
            before: shown,
            now: ["compact": "a", "expanded": "a c"],
            result: .newData,
            reason: .visibleChange,
            changed: ["expanded"]
        ),
        Line(
            what: "a display is added",
            before: shown,
            now: ["compact": "a", "expanded": "a b", "watch": "a"],
            cause: .configuration,
            outcome: .fresh,
            result: .newData,
            reason: .visibleChange,
            changed: ["watch"]
        ),
        Line(
            what: "a new day although the attempt failed",
            before: shown,
            now: ["compact": "z", "expanded": "a b"],
            outcome: .failed,
            failure: .transient,
            result: .newData,
            reason: .visibleChange,
            changed: ["compact"]
        ),
        Line(
            what: "the same bytes on a new day",
            before: shown,
            now: ["compact": "z", "expanded": "a b"],
            outcome: .sameBytes,
            result: .newData,
            reason: .visibleChange,
            changed: ["compact"]
        ),
        Line(
            what: "show more",
            before: shown,
            now: ["compact": "a", "expanded": "a b c"],
            cause: .interaction,
            outcome: .fresh,
            result: .newData,
            reason: .visibleChange,
            changed: ["expanded"]
        ),
        // The attempt failed.
        Line(
            what: "a transient failure",
            before: shown,
            now: shown,
            outcome: .failed,
            failure: .transient,
            result: .failed,
            reason: .transient
        ),
        Line(
            what: "too many requests",
            before: shown,
            now: shown,
            outcome: .failed,
            failure: .rateLimited,
            result: .failed,
            reason: .rateLimited
        ),
        Line(
            what: "permanently gone",
            before: shown,
            now: shown,
            outcome: .failed,
            failure: .permanent,
            result: .failed,
            reason: .permanent
        ),
        Line(
            what: "not understood",
            before: shown,
            now: shown,
            outcome: .failed,
            failure: .malformed,
            result: .failed,
            reason: .malformed
        ),
        Line(
            what: "a failure that says nothing",
            before: shown,
            now: shown,
            outcome: .failed,
            result: .failed,
            reason: .transient
        ),
        // It went well, and nothing visible changed.
        Line(
            what: "not modified",
            before: shown,
            now: shown,
            outcome: .notModified,
            result: .noData,
            reason: .notModified
        ),
        Line(what: "same bytes", before: shown, now: shown, outcome: .sameBytes, result: .noData, reason: .sameBytes),
        Line(
            what: "same content",
            before: shown,
            now: shown,
            outcome: .sameContent,
            result: .noData,
            reason: .sameContent
        ),
        Line(
            what: "a change below the fold",
            before: shown,
            now: shown,
            outcome: .changed,
            result: .noData,
            reason: .sameRows
        ),
        Line(what: "fresh", before: shown, now: shown, outcome: .fresh, result: .noData, reason: .fresh),
        Line(
            what: "an interaction that changes nothing",
            before: shown,
            now: shown,
            cause: .interaction,
            outcome: .fresh,
            result: .noData,
            reason: .sameRows
        ),
        Line(
            what: "a configuration that changes nothing",
            before: shown,
            now: shown,
            cause: .configuration,
            outcome: .fresh,
            result: .noData,
            reason: .sameRows
        ),
        Line(
            what: "a midnight that changes nothing",
            before: shown,
            now: shown,
            cause: .clock,
            outcome: .fresh,
            result: .noData,
            reason: .sameRows
        ),
        Line(
            what: "a display is taken away",
            before: shown,
            now: ["compact": "a"],
            cause: .configuration,
            outcome: .fresh,
            result: .noData,
            reason: .sameRows
        ),
    ]

    @Test(arguments: lines) func eachLineOfTheTableHasItsResult(line: Line) throws {
        var state = WidgetState()
        if let before = line.before {
            state.hadContent = true
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
        let state = WidgetState(digests: [try display("compact"): try digest(of: "nothing")], hadContent: false)
        let verdict = Verdict(of: try .showing(["compact": "nothing"]), after: state)
        #expect(verdict.result == .newData && verdict.reason == .firstContent && verdict.changed.isEmpty)
    }

    @Test func contentAfterAPlaceholderIsComparedWithWhatReadersDraw() throws {
        let (compact, expanded) = (try display("compact"), try display("expanded"))
        let placeholder = [compact: try digest(of: "actions"), expanded: try digest(of: "Open the app")]
        // Nobody was told to draw the first placeholder, although one display has the same layout with content.
        var state = WidgetState(digests: placeholder, hadContent: false)
        state.announced = [:]
        let first = Verdict(of: try .showing(["compact": "actions", "expanded": "b"]), after: state)
        #expect(first.result == .newData && first.changed == [compact, expanded])
        // Readers still draw the content before the placeholder.
        state.announced = [compact: try digest(of: "a"), expanded: try digest(of: "b")]
        let other = Verdict(of: try .showing(["compact": "actions", "expanded": "b"]), after: state)
        #expect(other.result == .newData && other.changed == [compact])
        let same = Verdict(of: try .showing(["compact": "a", "expanded": "b"]), after: state)
        #expect(same.result == .noData && same.reason == .sameRows && same.changed.isEmpty)
        let failed = try LaidOut.showing(
            ["compact": "actions", "expanded": "Open the app"],
            outcome: .failed,
            failure: .transient,
            isMissing: true
        )
        #expect(Verdict(of: failed, after: state).changed == [compact, expanded])
        state.announced = nil
        #expect(Verdict(of: failed, after: state).changed.isEmpty)
    }

    @Test func rowChangesPassOnlyWhereTheyStartFromWhatWasAnnounced() throws {
        let (compact, expanded) = (try display("compact"), try display("expanded"))
        let state = WidgetState(
            digests: [compact: try digest(of: "a"), expanded: try digest(of: "a b")],
            hadContent: true
        )
        var laidOut = try LaidOut.showing(["compact": "z", "expanded": "z a"])
        laidOut.displays[compact]?.rowChanges = RowChanges(from: try digest(of: "a"), inserted: [0], deleted: [0])
        laidOut.displays[expanded]?.rowChanges = RowChanges(from: try digest(of: "x"), inserted: [0], deleted: [])
        let verdict = Verdict(of: laidOut, after: state)
        #expect(verdict.displays[compact]?.rowChanges == laidOut.displays[compact]?.rowChanges)
        #expect(verdict.displays[expanded]?.rowChanges == nil)
        #expect(verdict.changed == [compact, expanded])
    }
}

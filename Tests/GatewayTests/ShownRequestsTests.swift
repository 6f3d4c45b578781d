// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Gateway

/// Tests of the requests that tell the cache when panels may wake.
@Suite final class ShownRequestsTests {
    private var requests = ShownRequests()
    private var plan: [SourceID: PlannedFetch] = [:]

    private static func widget(_ name: String) -> WidgetID {
        guard let id = WidgetID(rawValue: name) else { preconditionFailure("tests give valid ids") }
        return id
    }

    /// Returns the source of a widget; that of `c` is fetched at an interval.
    private static func source(_ widget: WidgetID) -> SourceID? {
        guard let index = ["a", "b"].firstIndex(of: widget.rawValue) else { return nil }
        return SourceID(rawValue: "000000000000000\(index)")
    }

    private func at(_ seconds: Int) -> Instant { Samples.now.advanced(by: .seconds(seconds)) }

    private func due(_ seconds: Int) -> [ShownRequest] {
        requests.due(at: at(seconds), source: Self.source) { [plan] source in plan[source] }
    }

    private func answer(_ request: ShownRequest, wanted: [WidgetID]?, _ seconds: Int) {
        let answer = wanted.map { ShownAnswer(wanted: $0) }
        requests.take(answer, to: request, at: at(seconds), source: Self.source)
    }

    private func wake(_ widgets: [String], _ seconds: Int) -> ExpectedWake {
        ExpectedWake(widgets: Set(widgets.map(Self.widget)), earliest: at(seconds))
    }

    @Test func eachSourceIsAskedForTheEarliestWakeThatIsToCome() {
        let (a, b) = (Self.widget("a"), Self.widget("b"))
        requests.set([wake(["a", "b", "c"], 900), wake(["a"], 600), wake(["b"], -5)])
        #expect(due(0) == [ShownRequest(widgets: [a], at: at(600)), ShownRequest(widgets: [b], at: at(900))])
        #expect(due(1).isEmpty, "they are on their way")
        answer(ShownRequest(widgets: [a], at: at(600)), wanted: [a], 1)
        answer(ShownRequest(widgets: [b], at: at(900)), wanted: [], 1)
        #expect(due(599).isEmpty)
        #expect(due(600) == [ShownRequest(widgets: [a], at: at(900))], "the first wake has passed")
    }

    @Test func aRequestIsRepeatedUntilItIsAnswered() {
        let request = ShownRequest(widgets: [Self.widget("a")], at: at(600))
        requests.set([wake(["a"], 600)])
        #expect(due(0) == [request])
        answer(request, wanted: nil, 1)
        #expect(due(1).isEmpty)
        #expect(due(2) == [request])
        #expect(due(6).isEmpty)
        #expect(due(7) == [request], "no answer came")
        answer(request, wanted: request.widgets, 8)
        #expect(due(500).isEmpty)
    }

    @Test func aWakeThatTheCacheHasLostIsToldAgain() throws {
        let request = ShownRequest(widgets: [Self.widget("a")], at: at(600))
        let source = try #require(Self.source(Self.widget("a")))
        requests.set([wake(["a"], 600)])
        #expect(due(0) == [request])
        answer(request, wanted: request.widgets, 0)
        plan[source] = PlannedFetch(next: at(590), state: .scheduled, whenShown: at(10))
        #expect(due(20).isEmpty)
        plan[source] = PlannedFetch(state: .gone, lastAttempt: at(-100), whenShown: at(10))
        #expect(due(30) == [request], "the store was restored")
        answer(request, wanted: request.widgets, 30)
        plan[source] = PlannedFetch(state: .gone, lastAttempt: at(590), whenShown: at(890))
        #expect(due(595).isEmpty, "it has been fetched")
    }

    @Test func manyWidgetsAreSpreadOverRequests() {
        let widgets = (0..<2_500).map { Self.widget("w\($0)") }
        requests.set([ExpectedWake(widgets: Set(widgets), earliest: at(600))])
        let due = requests.due(
            at: at(0),
            source: { widget in
                Int(widget.rawValue.dropFirst()).flatMap { SourceID(rawValue: "000000000000\($0 + 1_000)") }
            },
            plan: { _ in nil }
        )
        #expect(due.map(\.widgets.count) == [1_000, 1_000, 500])
    }
}

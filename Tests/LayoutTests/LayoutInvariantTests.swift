// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import LayoutEngine
@testable import LayoutGallery

/// Tests of the rules for every layout, whatever the content and the display.
@Suite struct LayoutInvariantTests {
    private static let cases: UInt64 = TestExtent.of(60, nightly: 10_000)

    // A measurer is used only by the thread that made it, so one test runs all cases.
    @Test func whateverIsShownNothingIsCutOffAndNothingSticksOut() throws {
        let measurer = TextMeasurer()
        let formats = LocaleFormats()
        let digest = try #require(ContentDigest(rawValue: String(repeating: "0", count: 64)))
        for seed in 0..<Self.cases {
            var random = RandomWidget(seed: seed)
            let content = random.content()
            let display = try random.display()
            let moment = random.moment(content.kind)
            let environment = LayoutEnvironment(display: display, moment: moment, measurer: measurer, formats: formats)
            let check = LayoutCheck(display: display, definition: moment.definition)
            for shown in [
                ShownContent.content(content, digest), .nothing, .none(isRefreshing: true, attemptFailed: false),
                .none(isRefreshing: false, attemptFailed: true),
            ] {
                let sketch = try Sample.sketch(shown, environment)
                #expect(check.problems(of: sketch.layout) == [], "seed \(seed) \(content.kind) \(display)")
                let again = try Sample.sketch(shown, environment)
                #expect(
                    Drawing(sketch, hasContent: true, summary: "") == Drawing(again, hasContent: true, summary: ""),
                    "seed \(seed)"
                )
                #expect(sketch.rowIDs.count == sketch.layout.rows.count, "seed \(seed)")
            }
        }
    }

    @Test func rowChangesMakeTheNewRowsOfTheOldOnes() throws {
        let digest = LayoutDigest.of(Layout(size: Size(width: 1, height: 1), views: []))
        for seed in 0..<2000 as Range<UInt64> {
            var random = RandomWidget(seed: seed)
            let old = try random.rows()
            let new = try random.rows(from: old)
            guard let changes = RowChanges(from: digest, old: old, new: new) else {
                #expect(old == new)
                continue
            }
            #expect(old != new)
            #expect(changes.inserted == changes.inserted.sorted() && changes.deleted == changes.deleted.sorted())
            #expect(changes.moved.map(\.to) == changes.moved.map(\.to).sorted())
            #expect(changes.applied(to: old, new: new) == new, "seed \(seed)")
        }
    }

    @Test func aRowThatMovedIsNeitherInsertedNorDeleted() throws {
        let digest = LayoutDigest.of(Layout(size: Size(width: 1, height: 1), views: []))
        func rows(_ names: String) -> [DrawnRow] { names.map { DrawnRow(id: "\($0)", digest: digest) } }
        func changes(_ old: String, _ new: String) throws -> RowChanges {
            try #require(RowChanges(from: digest, old: rows(old), new: rows(new)))
        }
        #expect(try changes("abcd", "dabc").moved == [RowChanges.Move(from: 3, to: 0)])
        #expect(try changes("abcd", "dabc").inserted == [] && changes("abcd", "dabc").deleted == [])
        #expect(try changes("abc", "xab").inserted == [0] && changes("abc", "xab").deleted == [2])
        #expect(try changes("abc", "xab").moved == [])
        var news = rows("abc")
        news[1] = DrawnRow(id: "b", digest: LayoutDigest.of(Layout(size: Size(width: 2, height: 1), views: [])))
        #expect(RowChanges(from: digest, old: rows("abc"), new: news)?.updated == [1])
    }
}

extension RowChanges {
    /// Returns the new rows, as a client makes them from the old ones.
    fileprivate func applied(to old: [DrawnRow], new: [DrawnRow]) -> [DrawnRow] {
        var rows = old
        for index in (deleted + moved.map(\.from)).sorted(by: >) { rows.remove(at: index) }
        let arrivals = inserted.map { ($0, new[$0]) } + moved.map { ($0.to, old[$0.from]) }
        for (index, row) in arrivals.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: index) }
        for index in updated { rows[index] = new[index] }
        return rows
    }
}

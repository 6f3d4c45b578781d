// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Layout

/// What holds for every layout, whatever the content and the display.
@Suite struct LayoutInvariantTests {

    /// One thread makes a measurer and uses it, so a test does all its cases itself.
    @Test func whateverIsShownNothingIsCutOffAndNothingSticksOut() throws {
        let measurer = TextMeasurer()
        let formats = LocaleFormats()
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomFeed(seed: seed)
            let content = random.content()
            let display = try random.display()
            let moment = random.moment()
            let environment = LayoutEnvironment(
                display: display,
                moment: moment,
                measurer: measurer,
                formats: formats
            )
            let sketch = try Sample.sketch(content, in: environment)
            let layout = sketch.layout
            check(layout, in: environment, "seed \(seed)")
            for failed in [Placeholder.loading, .failed] {
                check(
                    Canvas.draw(failed.view(in: environment), in: environment).layout,
                    in: environment,
                    "seed \(seed)"
                )
            }
            #expect(Drawing(sketch) == Drawing(try Sample.sketch(content, in: environment)), "seed \(seed)")
        }
    }

    private func check(_ layout: Layout, in environment: LayoutEnvironment, _ comment: Comment) {
        let area = environment.area
        #expect(layout.size.width == area.width, comment)
        switch area.mode {
        case .compact(let height): #expect(layout.size.height == height, comment)
        case .expanded: #expect(layout.size.height <= area.maximumHeight, comment)
        case .classic: break
        }
        let limits = environment.moment.definition.rows
        #expect(layout.rows.count <= max(limits.expanded, limits.collapsed, 0), comment)
        #expect(Set(layout.rows.map(\.frame.height)).count <= 1, comment)
        for (upper, lower) in zip(layout.rows, layout.rows.dropFirst()) {
            #expect(abs(upper.frame.y + upper.frame.height - lower.frame.y) < 1e-6, comment)
        }
        for view in layout.views {
            check(view, in: layout.size, environment, comment)
        }
    }

    private func check(_ view: LayoutView, in size: Size, _ environment: LayoutEnvironment, _ comment: Comment) {
        let tolerance = 1e-6
        let grid = environment.area.grid
        let frame = view.frame
        for edge in [frame.x, frame.y, frame.x + frame.width, frame.y + frame.height] where edge != size.height {
            #expect(abs(edge - grid.nearest(edge)) < tolerance, comment)
        }
        #expect(frame.x >= 0 && frame.y >= 0 && frame.width >= 0 && frame.height >= 0, comment)
        #expect(frame.x + frame.width <= size.width + tolerance, comment)
        #expect(frame.y + frame.height <= size.height + tolerance, comment)
        if let text = view.text {
            let metrics = DynamicType.metrics(of: text.font.style, in: environment.display.contentSizeCategory)
            let font = text.font
            #expect(font.size == (font.scale == 1 ? metrics.size : (metrics.size * font.scale).rounded()), comment)
            #expect(font.leading >= metrics.leading * font.scale, comment)
            for line in text.lines {
                #expect(line.x >= 0 && line.x + line.width <= frame.width + tolerance, comment)
                #expect(line.baseline > 0 && line.baseline < frame.height + tolerance, comment)
                #expect(!line.text.unicodeScalars.contains { $0.properties.generalCategory == .control }, comment)
            }
        }
        for child in view.views ?? [] {
            check(child, in: Size(width: frame.width, height: frame.height), environment, comment)
        }
    }

    @Test func rowChangesMakeTheNewRowsOfTheOldOnes() throws {
        let digest = LayoutDigest.of(Layout(size: Size(width: 1, height: 1), views: []))
        for seed in 0..<2000 as Range<UInt64> {
            var random = RandomFeed(seed: seed)
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
    /// The new rows, as a client makes them of the old ones.
    fileprivate func applied(to old: [DrawnRow], new: [DrawnRow]) -> [DrawnRow] {
        var rows = old
        for index in (deleted + moved.map(\.from)).sorted(by: >) { rows.remove(at: index) }
        let arrivals = inserted.map { ($0, new[$0]) } + moved.map { ($0.to, old[$0.from]) }
        for (index, row) in arrivals.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: index) }
        for index in updated { rows[index] = new[index] }
        return rows
    }
}

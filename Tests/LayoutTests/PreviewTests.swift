// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout

/// Layouts of widgets that do not exist, and of widgets on displays that are not configured.
@Suite struct PreviewTests {
    private var core = LayoutCore()
    private let now = Sample.instant

    private mutating func handle(_ query: LayoutInput.ClientRequest) -> [LayoutEffect] {
        let deadline = now.advanced(byMilliseconds: 2000)
        return core.handle(.request(1, query, deadline: deadline), now: now)
    }

    private func answer<Result: Codable & Hashable & Sendable>(
        _ effects: [LayoutEffect],
        _ type: Result.Type
    ) throws -> Result {
        for case .reply(_, let frame) in effects { return try WireJSON.decode(Answer<Result>.self, from: frame).get() }
        throw CocoaError(.fileNoSuchFile)
    }

    @Test mutating func aPreviewIsDrawnOfTheRequestAloneAndAsksNobody() throws {
        let displays = [try Sample.today(.compact), try Sample.today(.expanded)]
        let definition = WidgetDefinition(kind: .feed)
        let request = PreviewRequest(definition: definition, content: Sample.feed(5), displays: displays)
        let effects = handle(.preview(request))
        #expect(effects.count == 1)
        let layouts = try answer(effects, PreviewAnswer.self).layouts
        #expect(layouts.map(\.display) == displays.map(\.name))
        var layout = try #require(layouts.last?.layout)
        #expect(layout.modeChanges?.inserted == [1, 2, 3, 4])
        layout.modeChanges = nil
        #expect(layout == (try Sample.draw(Sample.feed(5), on: displays[1])))
    }

    @Test mutating func aPreviewOfAnotherKindOrWithoutDisplaysIsRefused() throws {
        let feed = Sample.feed(1)
        let displays = [try Sample.today(.compact)]
        for request in [
            PreviewRequest(definition: WidgetDefinition(kind: .quote), content: feed, displays: displays),
            PreviewRequest(definition: WidgetDefinition(kind: .feed), content: feed, displays: []),
        ] {
            let codes = handle(.preview(request)).map { effect -> RequestError.Code? in
                if case .refuse(_, let error) = effect { error.code } else { nil }
            }
            #expect(codes == [.malformed])
        }
    }

    @Test func aLargerTextSizeBringsTheHeightOfCompactModeThatHostsGiveAtIt() throws {
        var display = try Sample.today(.compact)
        display.setTextSize(.extraExtraExtraLarge)
        #expect(display.compactHeight == 140)
        #expect(display.contentSizeCategory == .extraExtraExtraLarge)
        display.compactHeight = 133
        display.setTextSize(.large)
        #expect(display.compactHeight == 133)
    }

    @Test func aDisplayThatRunsFromRightToLeftIsTheMirrorOfTheOther() throws {
        let expanded = try Sample.today(.expanded)
        let mirrored = try Sample.today(.expanded) { $0.direction = .rightToLeft }
        let forecast = try Sample.forecast()
        func symbols(_ display: Display) throws -> [Double] {
            try Sample.draw(forecast, on: display).all.filter { $0.image != nil }.map { $0.frame.x + $0.frame.width }
        }
        let (left, right) = (try symbols(expanded), try symbols(mirrored))
        #expect(left.count == right.count && left.count > 3)
        #expect(zip(left, right).allSatisfy { $0 < expanded.width / 2 && $1 > expanded.width / 2 })
    }
}

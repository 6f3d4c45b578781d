// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import Testing
import WidgetSchema

@testable import LayoutGallery

/// The rules hold for everything that the gallery shows; nothing is drawn here.
@Suite struct GalleryTests {
    @Test func noSpecimenBreaksARule() {
        let renderer = SampleRenderer()
        for item in Gallery.all { #expect(renderer.problems(of: item.sample) == [], "\(item.name)") }
    }

    @Test func everySpecimenIsFitToBeShown() {
        let renderer = SampleRenderer()
        for item in Gallery.all {
            #expect(GalleryRules.problems(of: item, renderer.layout(of: item.sample)) == [], "\(item.name)")
        }
    }

    @Test func everySpecimenIsGoodToRead() {
        let renderer = SampleRenderer()
        for item in Gallery.all {
            let rules = ReadingRules(item: item, layout: renderer.layout(of: item.sample), renderer: renderer)
            #expect(rules.problems == [], "\(item.name)")
        }
    }

    @Test func theMatrixIsWhole() {
        let today = Gallery.all.filter { $0.display.family == .today && $0.language == .english }
        #expect(Gallery.devices.count == 4)
        #expect(today.count == WidgetKind.allCases.count * 2 * 4 * 4 * 2)
        let names = Gallery.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

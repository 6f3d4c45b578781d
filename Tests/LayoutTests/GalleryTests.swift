// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Layout
import Testing
import WidgetSchema

@testable import LayoutGallery

/// The rules hold for everything that the gallery shows; nothing is drawn here.
@Suite struct GalleryTests {
    @Test func noSpecimenBreaksARule() {
        let easel = Easel()
        for item in Gallery.all { #expect(easel.problems(of: item.specimen) == [], "\(item.name)") }
    }

    @Test func everySpecimenIsFitToBeShown() {
        let easel = Easel()
        for item in Gallery.all {
            #expect(GalleryRules.problems(of: item, easel.layout(of: item.specimen)) == [], "\(item.name)")
        }
    }

    @Test func everySpecimenIsGoodToRead() {
        let easel = Easel()
        for item in Gallery.all {
            let rules = ReadingRules(item: item, layout: easel.layout(of: item.specimen), easel: easel)
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

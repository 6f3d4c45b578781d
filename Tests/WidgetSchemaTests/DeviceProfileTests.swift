// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct DeviceProfileTests {
    private func compact(_ device: String, _ category: ContentSizeCategory) throws -> Double? {
        try #require(DeviceProfile.named(device)).proposal(for: .today, at: category)?.compactHeight
    }

    // The heights were measured on phones and on the largest tablet.
    @Test func compactHeightsAreTheMeasuredOnes() throws {
        #expect(try compact("iphone-375", .extraSmall) == 95)
        #expect(try compact("iphone-375", .large) == 110)
        #expect(try compact("iphone-375", .extraExtraExtraLarge) == 140)
        #expect(try compact("iphone-375", .accessibilityExtraExtraExtraLarge) == 325)
        #expect(try compact("ipad-1024", .extraSmall) == 112.5)
        #expect(try compact("ipad-1024", .extraExtraExtraLarge) == 165)
        #expect(try compact("ipad-1024", .accessibilityExtraExtraExtraLarge) == 383.75)
    }

    @Test func expandedHeightsAndWidthsAreTheMeasuredOnes() throws {
        for (name, width, height) in [("iphone-320", 304.0, 528.0), ("iphone-375", 359, 616)] {
            let proposal = try #require(DeviceProfile.named(name)?.proposal(for: .today, at: .large))
            #expect(proposal.width == width)
            #expect(proposal.maximumHeight == height)
        }
        #expect(DeviceProfile.named("iphone-375-tall")?.expandedHeight == 660)
        let classic = try #require(DeviceProfile.named("iphone-414")?.proposal(for: .todayClassic, at: .large))
        #expect(classic.width - classic.insets.leading == 362)
        #expect(classic.maximumHeight == 610)
    }

    @Test func landscapeHasTheMeasuredSizesAndColumns() throws {
        let landscape = DevicePosture(orientation: .landscape)
        let phone = try #require(DeviceProfile.named("iphone-375"))
        let classic = try #require(phone.proposal(for: .todayClassic, at: .large, in: landscape))
        #expect(classic.width - classic.insets.leading == 586)
        #expect(classic.maximumHeight == 260.5)
        let today = try #require(phone.proposal(for: .today, at: .large, in: landscape))
        #expect(today.compactHeight == 110)
        #expect(today.maximumHeight == 308)
        let huge = try #require(phone.proposal(for: .today, at: .accessibilityExtraExtraExtraLarge, in: landscape))
        #expect(huge.maximumHeight == huge.compactHeight)
        let tablet = try #require(DeviceProfile.named("ipad-768"))
        let columns = try [DevicePosture.Column.left, .right].map { column in
            let posture = DevicePosture(orientation: .landscape, column: column)
            return try #require(tablet.proposal(for: .today, at: .large, in: posture)).width
        }
        #expect(columns[0] > columns[1])
        #expect(columns[0] + columns[1] <= tablet.screen.height)
    }

    @Test func widgetsHaveTheSizesOfTheGuidelines() throws {
        let phone = try #require(DeviceProfile.named("iphone-430"))
        #expect(phone.sizes[.systemMedium] == Size(width: 364, height: 170))
        #expect(phone.sizes[.accessoryInline] == Size(width: 257, height: 26))
        #expect(phone.sizes[.systemExtraLarge] == nil)
        let tablet = try #require(DeviceProfile.named("ipad-1024"))
        #expect(tablet.sizes[.systemExtraLarge] == Size(width: 795, height: 378.5))
    }

    @Test(arguments: DeviceProfile.all) func heightsGrowWithTheTextAndFitTheirMaximum(device: DeviceProfile) throws {
        let proposals = try ContentSizeCategory.allCases.map { try #require(device.proposal(for: .today, at: $0)) }
        let heights = proposals.compactMap(\.compactHeight)
        #expect(heights.count == 12)
        #expect(heights == heights.sorted() && Set(heights).count == 12)
        for proposal in proposals { #expect(proposal.maximumHeight >= proposal.compactHeight ?? .infinity) }
        for proposal in proposals { #expect(proposal.maximumHeight <= device.screen.height) }
        #expect((1...3).contains(device.scale))
        #expect(device.todayWidth <= device.screen.width)
    }

    @Test func namesAreUnique() { #expect(Set(DeviceProfile.all.map(\.name)).count == DeviceProfile.all.count) }

    @Test func widgetKitStopsGrowingAtTheSecondLargestOrdinarySize() {
        #expect(Display.Family.systemSmall.textSize(.accessibilityLarge) == .extraExtraLarge)
        #expect(Display.Family.accessoryInline.textSize(.small) == .small)
        #expect(Display.Family.today.textSize(.accessibilityLarge) == .accessibilityLarge)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import LayoutEngine
import WidgetSchema

/// Compares rules for pushes on a seeded year of traffic, judged by what each display draws and what a tap does.
///
/// usage: VerdictBenchmark DAYS SEED
///
/// Each source is polled once an hour. A push is right if the pixels of the display, or the actions of its taps, differ from
/// those after the poll before. Writes one JSON object for each kind of widget and display.
@main
struct VerdictBenchmark {
    struct Report: Encodable {
        struct Score: Encodable {
            var pushes = 0
            var right = 0
        }

        var kind: String
        var display: String
        var polls: Int
        /// The polls after which the display looked or acted differently.
        var changes: Int
        /// The polls whose pictures were drawn; the others had the same layout as one of those.
        var drawn: Int
        var rules: [String: Score]
    }

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard CommandLine.arguments.count == 3, numbers.count == 2, (1...3_660).contains(numbers[0]) else {
            FileHandle.standardError.write(Data("usage: VerdictBenchmark DAYS SEED\n".utf8))
            exit(2)
        }
        let displays = try Displays.all()
        for kind in WidgetKind.allCases {
            for report in try run(kind, displays, polls: Int(numbers[0]) * 24, seed: numbers[1]) {
                FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
            }
        }
    }

    private static func run(_ kind: WidgetKind, _ displays: [Display], polls: Int, seed: UInt64) throws -> [Report] {
        var traffic = Traffic(kind: kind, seed: seed)
        let judges = displays.map { Judge(display: $0) }
        var reports = displays.map {
            Report(kind: kind.rawValue, display: $0.name.rawValue, polls: polls, changes: 0, drawn: 0, rules: [:])
        }
        var last = try traffic.poll()
        let first = try judges.map { try $0.look(at: last) }
        var looks = first.map(\.look)
        var digests = first.map(\.digest)
        for _ in 1..<polls {
            let next = try traffic.poll()
            let common = [
                "body hash": last.body != next.body,
                "item hash": last.items != next.items,
                "newest item": last.items.first != next.items.first,
                "top 3": last.items.prefix(3) != next.items.prefix(3),
            ]
            for (index, judge) in judges.enumerated() {
                let (look, digest) = try judge.look(at: next)
                let isChange = look != looks[index]
                if isChange { reports[index].changes += 1 }
                for (rule, isPush) in common.merging(["Tidings": digest != digests[index]], uniquingKeysWith: { $1 })
                where isPush {
                    reports[index].rules[rule, default: Report.Score()].pushes += 1
                    if isChange { reports[index].rules[rule]?.right += 1 }
                }
                (looks[index], digests[index]) = (look, digest)
            }
            last = next
        }
        for index in reports.indices { reports[index].drawn = judges[index].drawn }
        return reports
    }
}

/// What a person sees and what a tap does.
struct Look: Hashable {
    var pixels: Data
    var actions: [LayoutAction?]
    var link: String?
    var largestMode: Display.Mode?
}

/// The renderer and the painter of one display.
final class Judge {
    private let display: Display
    private let renderer = LayoutRenderer(measurer: TextMeasurer())
    private let painter = CairoPainter()
    /// The pictures of the layouts so far; a picture depends on its layout alone.
    private var pictures: [Layout: Data] = [:]
    private(set) var drawn = 0

    init(display: Display) { self.display = display }

    /// Returns what the display shows after a poll, and the digest that Tidings compares.
    func look(at poll: Poll) throws -> (look: Look, digest: ContentDigest) {
        let moment = WidgetMoment(
            definition: WidgetDefinition(kind: poll.content.kind, name: "Widget"),
            interaction: InteractionState(),
            instant: poll.time
        )
        let drawing = renderer.draw(
            DrawingOrder(shown: .content(poll.content, poll.digest), moment: moment, display: display)
        )
        let layout = drawing.layout
        let known = pictures[layout]
        let pixels = try known ?? painter.png(of: Picture(layout, on: display))
        if known == nil {
            pictures[layout] = pixels
            drawn += 1
        }
        let isPassive = display.isPassive
        let look = Look(
            pixels: pixels,
            actions: isPassive ? [] : Self.actions(of: layout.views),
            link: isPassive ? nil : layout.link,
            largestMode: layout.largestMode
        )
        return (look, drawing.digest)
    }

    private static func actions(of views: [LayoutView]) -> [LayoutAction?] {
        views.flatMap { [$0.action] + actions(of: $0.views ?? []) }
    }
}

/// The displays: both modes of a phone's Today view, its lock screen, and a panel of electronic paper.
enum Displays {
    static func all() throws -> [Display] {
        guard let device = DeviceProfile.named("iphone-390") else { throw CocoaError(.featureUnsupported) }
        func phone(_ name: String, _ family: Display.Family, _ mode: Display.Mode?) throws -> Display {
            guard let name = DisplayName(rawValue: name), let proposal = device.proposal(for: family, at: .large) else {
                throw CocoaError(.featureUnsupported)
            }
            return Display(
                name: name,
                family: family,
                mode: mode,
                width: proposal.width,
                compactHeight: proposal.compactHeight,
                maximumHeight: proposal.maximumHeight,
                contentSizeCategory: .large,
                scale: device.scale,
                insets: proposal.insets,
                locale: "en_GB",
                timeZone: "UTC"
            )
        }
        guard let name = DisplayName(rawValue: "panel") else { throw CocoaError(.featureUnsupported) }
        let panel = Display(
            name: name,
            family: .panel,
            mode: nil,
            width: 400,
            compactHeight: nil,
            maximumHeight: 300,
            contentSizeCategory: .large,
            scale: 1,
            insets: EdgeInsets(),
            locale: "en_GB",
            timeZone: "UTC",
            panel: Panel(palette: .mono, isInteractive: false)
        )
        return [
            try phone("phone-compact", .today, .compact), try phone("phone-expanded", .today, .expanded),
            try phone("lock-screen", .accessoryRectangular, nil), panel,
        ]
    }
}

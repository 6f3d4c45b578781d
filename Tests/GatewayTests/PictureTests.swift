// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import Telemetry
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Tests of the names of pictures and layouts, and of the work that they cost.
@Suite(.timeLimit(.minutes(5))) struct PictureTests {
    private static func header(_ name: String, _ response: WebResponse) -> String? {
        response.headers.first { $0.name == name }?.value
    }

    private static func tag(_ response: WebResponse) throws -> String { try #require(header("ETag", response)) }

    private static let panel = [(name: "width", value: "300"), (name: "height", value: "600")]

    private func paints(_ world: PictureWorld) -> Int { world.service.requests.count { $0.format != nil } }

    private func layouts(_ world: PictureWorld) -> Int { world.service.requests.count { $0.format == nil } }

    // MARK: Random widgets, displays, options and edits

    /// The answers that a client has got, by their tags.
    private struct Known {
        var bodies: [String: Data] = [:]
        /// The tags and the times of what was got at an address of a gateway.
        var tags: [String] = []
        var times: [String: (modified: String, body: Data)] = [:]
    }

    /// Returns what must be equal in answers with equal tags: all bytes, but for the cycle that a layout names.
    private func essence(_ body: Data, _ format: RenderFormat) throws -> Data {
        guard format == .layout else { return body }
        var answer = try WireJSON.decode(RenderAnswer.self, from: body)
        answer.sequence = .zero
        return try WireJSON.encode(answer)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func equalTagsHaveEqualPicturesAndEachDifferenceHasAnotherTag(seed: UInt64) async throws {
        var dice = SeededGenerator(seed: seed &* 7919)
        // Some gateways forget their pictures soon.
        let maximumBytes = seed % 2 == 0 ? 20_000 : PictureCache.defaultMaximumBytes
        let world = try PictureWorld(seed: seed, gateways: 2, maximumBytes: maximumBytes)
        let widgets = try ["blog", "news", "notes"].map { try Samples.widget($0) }
        for widget in widgets { try await world.edit(widget) }
        var known = Known()
        for _ in 0..<40 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6:
                try await world.edit(widgets.randomElement(using: &dice) ?? widgets[0], reaching: 70)
            case 6: world.deliver()
            case 7:
                let newest = world.service.engines.last ?? 1
                world.run(engines: world.service.engines.count == 1 ? [newest, newest + 1] : [newest])
            default: break
            }
            for _ in 0..<2 {
                let widget = try #require(widgets.randomElement(using: &dice))
                try await check(world, widget, &known, &dice)
            }
        }
        #expect(known.tags.count > 10)
    }

    private static let options: [[(name: String, value: String)]] = [
        [], [], panel, panel + [("scale", "2")], [("width", "120")], [("textSize", "accessibilityLarge")],
        [("appearance", "dark")], [("appearance", "light")], [("direction", "rightToLeft")],
    ]

    /// Requests a picture at random, and compares the answer with what the layout service draws itself.
    private func check(
        _ world: PictureWorld,
        _ widget: WidgetID,
        _ known: inout Known,
        _ dice: inout SeededGenerator
    ) async throws {
        let number = Int.random(in: 0..<world.hosts.count, using: &dice)
        let host = world.hosts[number]
        let held = try #require(host.gateway.view[widget])
        let display = try #require(held.event.data.displays.keys.sorted().randomElement(using: &dice))
        let query = Self.options.randomElement(using: &dice) ?? []
        let format = [RenderFormat.png, .png, .svg, .layout].randomElement(using: &dice) ?? .png
        let file = "\(display).\(format == .layout ? "json" : format.rawValue)"
        let address = "\(number) \(widget) \(file) \(query)"
        let method = dice.chance(10) ? "HEAD" : "GET"
        var headers: [WebHeader] = []
        if dice.chance(50), let tag = known.tags.randomElement(using: &dice) {
            headers.append(WebHeader("If-None-Match", tag))
        } else if dice.chance(50), let last = known.times[address] {
            headers.append(WebHeader("If-Modified-Since", last.modified))
        }
        let before = paints(world)
        let response = try await host.get(widget, file, method: method, query: query, headers: headers)
        let text = try #require(Self.header(WidgetRoutes.sequenceHeader, response))
        let sequence = try #require(SequenceNumber(text))
        #expect(sequence >= held.range.sequence)
        let tag = try Self.tag(response)

        // The layouts that the running instances draw of that cycle.
        var request = RenderRequest(widget: widget, display: display, sequence: sequence)
        request.format = format == .layout ? nil : format
        for (name, value) in query { apply(name, value, to: &request) }
        var truths: [Data] = []
        for engine in world.service.engines {
            var drawn = try await world.service.draw(request, engine: engine)
            guard format == .layout, var layout = drawn.answer.layout else {
                truths.append(drawn.bytes)
                continue
            }
            host.gateway.links.apply(to: &layout)
            drawn.answer.layout = layout
            truths.append(try essence(try WireJSON.encode(drawn.answer), format))
        }

        switch response.status {
        case 304:
            #expect(paints(world) == before, "a conditional request is answered without a drawing")
            if let condition = headers.first, condition.name == "If-None-Match" {
                #expect(condition.value == tag)
                #expect(truths.contains(try #require(known.bodies[tag])), "\(address): the tag names something else")
            } else {
                #expect(truths.contains(try #require(known.times[address]).body), "\(address): it has been modified")
            }
        case 200 where method == "HEAD":
            #expect(paints(world) == before)
            if let body = known.bodies[tag] { #expect(truths.contains(body)) }
        default:
            #expect(response.status == 200)
            let body = try essence(response.body, format)
            #expect(truths.contains(body), "\(address): the answer is not what the layout service draws")
            #expect(known.bodies[tag] ?? body == body, "\(address): two bodies have the same tag")
            if known.bodies.updateValue(body, forKey: tag) == nil { known.tags.append(tag) }
            known.times[address] = Self.header("Last-Modified", response).map { ($0, body) }
        }
    }

    private func apply(_ name: String, _ value: String, to request: inout RenderRequest) {
        let number = Int(value) ?? 1
        var panel = request.panel ?? PanelSize(width: number, height: number, scale: 1)
        switch name {
        case "appearance": request.appearance = Appearance(rawValue: value)
        case "textSize": request.contentSizeCategory = ContentSizeCategory(rawValue: value)
        case "direction": request.direction = Display.Direction(rawValue: value)
        case "width": panel.width = number
        case "height": panel.height = number
        default: panel.scale = number
        }
        if ["width", "height", "scale"].contains(name) { request.panel = panel }
    }

    // MARK: Gateways agree

    @Test func twoGatewaysNameAPictureAlike() async throws {
        let world = try PictureWorld(seed: 3, gateways: 2)
        let widget = try Samples.widget("blog")
        for _ in 0..<6 {
            try await world.edit(widget)
            for query in Self.options {
                for file in ["wall.png", "phone.svg", "desk.json"] {
                    var tags: Set<String> = []
                    for host in world.hosts {
                        tags.insert(try Self.tag(try await host.get(widget, file, query: query)))
                    }
                    #expect(tags.count == 1, "\(file) \(query)")
                }
            }
        }
    }

    // MARK: Work

    @Test func aCycleCostsOneLayoutHoweverManyClientsAsk() async throws {
        let world = try PictureWorld(seed: 5, gateways: 1)
        let (widget, host) = (try Samples.widget("blog"), world.hosts[0])
        try await world.edit(widget)
        let tag = try Self.tag(try await host.get(widget, "wall.png", query: Self.panel))
        #expect((layouts(world), paints(world)) == (1, 1))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let condition = [WebHeader("If-None-Match", tag)]
                    return try await host.get(widget, "wall.png", query: Self.panel, headers: condition).status
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(statuses == [304])
        #expect((layouts(world), paints(world)) == (1, 1))
    }

    @Test func aConditionalRequestAtAnotherGatewayIsAnsweredWithoutADrawing() async throws {
        let world = try PictureWorld(seed: 5, gateways: 2)
        let widget = try Samples.widget("blog")
        try await world.edit(widget)
        let tag = try Self.tag(try await world.hosts[0].get(widget, "wall.png"))
        let drawn = paints(world)
        let again = try await world.hosts[1].get(widget, "wall.png", headers: [WebHeader("If-None-Match", tag)])
        #expect(again.status == 304)
        // The length of a picture that was not drawn is unknown.
        guard case .omitted = again.content else {
            Issue.record("the answer has a body")
            return
        }
        let head = try await world.hosts[1].get(widget, "wall.png", method: "HEAD")
        #expect(try head.status == 200 && Self.tag(head) == tag)
        #expect(paints(world) == drawn)
    }

    @Test(arguments: ["9", "1"] as [Character])
    func aLayoutIsRequestedAgainIfOtherFontsDrawIt(digit: Character) async throws {
        let (metrics, digest) = (Metrics(), try Samples.digest("a"))
        let (former, later) = (try Samples.digest("5"), try Samples.digest(digit))
        let fonts = Lock(former)
        let renderer = PictureRenderer(pictures: PictureCache(metrics: metrics), metrics: metrics) {
            request throws(Problem) in
            let answer = RenderAnswer(
                widget: request.widget,
                display: request.display,
                sequence: 1,
                digest: digest,
                engine: LayoutEngineVersion(version: 1, fonts: fonts.withLock { $0 }),
                family: .panel,
                scale: 1
            )
            return (answer, [])
        }
        let (blog, wall) = (try Samples.widget("blog"), try Samples.display("wall"))
        let orders = [former, later].map { current in
            PictureOrder(
                request: RenderRequest(widget: blog, display: wall, sequence: 1),
                engine: LayoutInstances.Engine(LayoutEngineVersion(version: 1, fonts: current)),
                links: LinkFilter()
            )
        }
        let first = try await renderer.layout(orders[0])
        #expect(renderer.known(orders[0]) == first && renderer.known(orders[1]) == nil)
        // An instance with the former fonts still answers.
        #expect(try await renderer.layout(orders[1]).isOutdated)
        #expect(renderer.known(orders[1]) == nil)
        fonts.withLock { $0 = later }
        let second = try await renderer.layout(orders[1])
        #expect(second.surface != first.surface && renderer.known(orders[1]) == second)
    }

    // Several changes within a second have seconds that follow, so the last one may be in the future.
    @Test func theTimeOfTheLastChangeIsNotInTheFuture() async throws {
        let world = try PictureWorld(seed: 7, gateways: 1)
        let (widget, host) = (try Samples.widget("blog"), world.hosts[0])
        world.start = Instant.now.advanced(by: .seconds(100))
        try await world.edit(widget)
        let later = try await host.get(widget, "wall.png")
        let text = try #require(Self.header("Last-Modified", later))
        #expect(try #require(HTTPDate.seconds(text)) <= Instant.now.milliseconds / 1_000)
        // A client with the time before the change gets the picture again.
        let condition = [WebHeader("If-Modified-Since", HTTPDate.text(world.start.milliseconds / 1_000 - 200))]
        #expect(try await host.get(widget, "wall.png", headers: condition).status == 200)
    }

    @Test func anOptionThatTheDisplayHasAlreadyNamesTheSamePicture() async throws {
        let world = try PictureWorld(seed: 7, gateways: 1)
        let (widget, host) = (try Samples.widget("blog"), world.hosts[0])
        try await world.edit(widget)
        let display = try #require(world.displays.first)
        let plain = try await host.get(widget, "\(display.name).png")
        let query = [(name: "appearance", value: display.appearance.rawValue)]
        #expect(try Self.tag(try await host.get(widget, "\(display.name).png", query: query)) == Self.tag(plain))
        #expect(paints(world) == 1)
        #expect(Self.header("Last-Modified", plain) != nil)
        #expect(Self.header("Last-Modified", try await host.get(widget, "\(display.name).png", query: query)) == nil)
    }
}

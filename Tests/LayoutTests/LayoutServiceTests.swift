// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import MessageBus
import ServiceRuntime
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@testable import Configuration
@testable import Layout

/// Tests of the service on a real bus, with a cache that the test simulates.
@Suite(.timeLimit(.minutes(3))) struct LayoutServiceTests {
    private func instance(_ name: String) throws -> InstanceName { try #require(InstanceName(rawValue: name)) }

    private func context(_ address: BusAddress) throws -> ServiceContext {
        var configuration = TidingsConfiguration(instance: try instance("layout-test"))
        configuration.bus.address = address.description
        return ServiceContext(
            service: .layout,
            instance: configuration.instance,
            configuration: configuration,
            options: try ServiceMain.optionTable(.layout, summary: "").parse([]),
            log: .discarded,
            metrics: Metrics(),
            stop: StopSignal()
        )
    }

    /// Runs the service and a client that is cache and subscriber in one, both ready.
    private func withService(
        _ body: (BusClient, inout BusInputs.AsyncIterator, ServiceContext) async throws -> Void
    ) async throws {
        try await withBus { address in
            let context = try context(address)
            let configuration = BusConfiguration(
                address: address,
                registration: try .one(.cache),
                subscriptions: [Topic.Prefix.laidOut, Topic.Prefix.layout],
                publishes: true
            )
            try await withBusClient(configuration) { client in
                async let service: Void = try LayoutService(context).run()
                var inputs = client.inputs.makeAsyncIterator()
                do {
                    while let input = await inputs.next() { if case .ready = input { break } }
                    try await waitForService(client)
                    try await body(client, &inputs, context)
                } catch {
                    context.stop.stop()
                    try await service
                    throw error
                }
                context.stop.stop()
                try await service
            }
        }
    }

    /// Waits until the service says that it is ready; it answers requests as soon as it is registered.
    private func waitForService(_ client: BusClient) async throws {
        while true {
            let (answer, _) = try await client.ask(RequestTarget(.layout), HealthRequest(), deadline: .seconds(20))
            if answer.health.state == .ready { return }
        }
    }

    private func next(_ inputs: inout BusInputs.AsyncIterator, _ prefix: String) async throws -> (Topic, Data) {
        while let input = await inputs.next() {
            if case .message(let topic, let frames) = input, topic.text.hasPrefix(prefix) {
                return (topic, try #require(frames.first))
            }
        }
        throw RequestError(.failed, "the client was closed")
    }

    /// Answers the next question of the service as the cache does.
    private func answerNext(
        _ client: BusClient,
        _ inputs: inout BusInputs.AsyncIterator,
        _ content: Content,
        first: SequenceNumber? = nil,
        displays: [Display]? = nil
    ) async throws -> IncomingRequest {
        let request = try await next(&inputs)
        let (reference, frame) = try Sample.frame(content)
        let event = try Sample.cycle(9, first: first, content: reference, contentSequence: 8, displays: displays)
        client.reply(
            to: request,
            result: Records(records: [event], contents: [reference], more: false),
            contents: [frame]
        )
        return request
    }

    private func next(_ inputs: inout BusInputs.AsyncIterator) async throws -> IncomingRequest {
        while let input = await inputs.next() { if case .request(let request) = input { return request } }
        throw RequestError(.failed, "the client was closed")
    }

    @Test func aRefreshedWidgetIsLaidOutWithRealText() async throws {
        try await withService { client, inputs, _ in
            let (reference, frame) = try Sample.frame(Sample.feed(10))
            let event = try Sample.cycle(7, content: reference, contentSequence: 7)
            client.publish(.refreshed(try Sample.widget()), [try WireJSON.encode(event), frame])
            let (topic, json) = try await next(&inputs, Topic.Prefix.laidOut)
            #expect(topic == .laidOut(try Sample.widget()))
            let laidOut = try WireJSON.decode(Event<LaidOut>.self, from: json)
            #expect(laidOut.range == event.range)
            #expect(laidOut.data.summary == "Post 0")
            let (layoutTopic, layoutJSON) = try await next(&inputs, Topic.Prefix.layout)
            #expect(layoutTopic == .layout(try Sample.widget(), on: try Sample.name("phone-classic")))
            let layout = try WireJSON.decode(Event<LayoutChanged>.self, from: layoutJSON)
            #expect(layout.data.layout?.rows.count == 3)
            #expect(layout.data.layout?.lines.first == "Post 0")
        }
    }

    @Test func malformedMessagesAreCountedAndTheNextOneIsLaidOut() async throws {
        try await withService { client, inputs, context in
            let topic = Topic.refreshed(try Sample.widget())
            client.publish(topic, [Data("no JSON".utf8)])
            client.publish(topic, [Data("{}".utf8)])
            client.publish(topic, [try WireJSON.encode(try Sample.cycle(1, of: "other"))])
            client.publish(topic, [try WireJSON.encode(try Sample.cycle(2))])
            let (_, json) = try await next(&inputs, Topic.Prefix.laidOut)
            #expect(try WireJSON.decode(Event<LaidOut>.self, from: json).range == SequenceRange(2))
            #expect(context.metrics.counter("layout.malformed").value == 3)
        }
    }

    @Test func aReplayIsAskedOfTheCacheAndAnsweredLaidOut() async throws {
        try await withService { client, inputs, _ in
            let from: [WidgetID: SequenceNumber] = [try Sample.widget(): 3]
            let replay = ReplayRequest<LaidOut>(from: from)
            async let asked = client.ask(RequestTarget(.layout), replay, deadline: .seconds(20))
            let request = try await answerNext(client, &inputs, Sample.feed(2), first: 3)
            #expect(try request.decode(ReplayRequest<Refreshed>.self).body.from == from)
            let (answer, _) = try await asked
            #expect(answer.records.map(\.range) == [SequenceRange(first: 3, sequence: 9)])
            #expect(answer.records.first?.data.summary == "Post 0")
            #expect(!answer.more)
        }
    }

    @Test func anUnknownRequestAndTheCachesErrorsAreAnsweredAsSuch() async throws {
        try await withService { client, inputs, _ in
            await #expect(throws: RequestError.self) {
                try await client.ask(RequestTarget(.layout), SnapshotRequest<LaidOut>(), deadline: .seconds(20))
            }
            let render = RenderRequest(widget: try Sample.widget(), display: try Sample.name("phone-classic"))
            async let code = refusal { try await client.ask(RequestTarget(.layout), render, deadline: .seconds(20)) }
            client.reply(to: try await next(&inputs), error: RequestError(.notFound, "no such widget"))
            #expect(await code == .notFound)
        }
    }

    @Test func aPictureFollowsTheAnswerAsAFrame() async throws {
        try await withService { client, inputs, context in
            for (format, beginning) in [(RenderFormat.png, Data([0x89] + "PNG\r\n".utf8)), (.svg, Data("<svg ".utf8))] {
                let display = try Sample.name("phone-expanded")
                let render = RenderRequest(widget: try Sample.widget(), display: display, format: format)
                async let asked = client.ask(RequestTarget(.layout), render, deadline: .seconds(20))
                _ = try await answerNext(client, &inputs, Sample.feed(20))
                let (answer, contents) = try await asked
                #expect(answer.layout == nil)
                #expect(answer.picture?.format == format)
                #expect(contents.map(\.count) == [answer.picture?.bytes])
                #expect(contents.first?.starts(with: beginning) == true)
            }
            #expect(context.metrics.counter("layout.pictures").value == 2)
        }
    }

    @Test func aPictureThatNobodyCouldSendIsRefusedInWords() async throws {
        try await withService { client, inputs, _ in
            let panel = try Sample.panel(16_000, 16_000) { $0.scale = 2 }
            let render = RenderRequest(widget: try Sample.widget(), display: panel.name, format: .png)
            async let code = refusal { try await client.ask(RequestTarget(.layout), render, deadline: .seconds(20)) }
            _ = try await answerNext(client, &inputs, Sample.feed(20), displays: [panel])
            #expect(await code == .refused)
        }
    }

    private func refusal<Value>(_ body: () async throws -> Value) async -> RequestError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? RequestError)?.code
        }
    }
}

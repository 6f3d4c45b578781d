// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import MessageBus
import ServiceEngine
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@testable import Configuration
@testable import ServiceRuntime

extension ServiceContext {
    /// Returns the context of an instance of the cache.
    static func test(
        _ name: String,
        bus: String? = nil,
        log: Logger = .discarded,
        metrics: Metrics = Metrics(),
        stop: StopSignal = StopSignal()
    ) throws -> ServiceContext {
        let instance = try #require(InstanceName(rawValue: name))
        var configuration = TidingsConfiguration(instance: instance)
        if let bus { configuration.bus.address = bus }
        return ServiceContext(
            service: .cache,
            instance: instance,
            configuration: configuration,
            options: try ServiceMain.optionTable(.cache, summary: "").parse([]),
            log: log,
            metrics: metrics,
            stop: stop
        )
    }
}

/// A core that begins with a write and with effects, and writes each input.
struct ScriptedCore: ServiceCore {
    /// The effects of the start.
    typealias State = [Int]
    typealias Setup = Void
    typealias Input = Int
    typealias Write = Int
    typealias Effect = Int
    typealias Work = Never
    typealias Done = Never

    private let effects: [Int]

    init(_ state: [Int], setup: Void, load: UInt64) { effects = state }

    mutating func start(now: ClockReading) -> Step<Int, Never, Int> { Step(writes: [0], effects: effects) }
    mutating func handle(_ input: Int, now: ClockReading) -> Step<Int, Never, Int> { Step(writes: [input]) }
    mutating func endBatch(now: ClockReading) -> Step<Int, Never, Int> { Step() }
    var nextDeadline: Deadline? { nil }
}

final class ScriptedAdapter: ServiceAdapter {
    typealias Core = ScriptedCore
    typealias Reader = Void

    private let translate: (BusInput) -> Int?
    private let performs: (Int) -> Void
    var setup: Void { () }

    init(_ translate: @escaping (BusInput) -> Int? = { _ in nil }, performs: @escaping (Int) -> Void = { _ in }) {
        (self.translate, self.performs) = (translate, performs)
    }

    func input(_ input: BusInput) -> Int? { translate(input) }
    func refuse(_ input: Int) {}
    func perform(_ effect: Int, reading: Void) { performs(effect) }
}

/// Runs an `EngineService` with a bus of its own until `stop` ends it.
func runEngineService<Adapter, Store, Pool>(
    stop: StopSignal,
    makeParts: @escaping @Sendable (BusClient) throws -> EngineParts<Adapter, Store, Pool>
) async throws {
    try await withBus { address in
        let context = try ServiceContext.test("engine", bus: address.description, stop: stop)
        try await EngineService(context, subscriptions: [], makeParts: makeParts).run()
    }
}

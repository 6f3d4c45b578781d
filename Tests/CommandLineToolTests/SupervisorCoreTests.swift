// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import Testing
import WidgetSchema

@testable import CommandLineTool

/// The supervisor's decisions, without a process.
@Suite struct SupervisorCoreTests {
    private typealias Launch = SupervisorCore.Launch
    private typealias Action = SupervisorCore.Action

    /// A core with its moment, which only moves when told.
    private struct Scene {
        var core = SupervisorCore()
        var now = ContinuousClock.now
        var running: [ServiceName: Launch] = [:]

        @discardableResult
        mutating func handle(_ input: SupervisorCore.Input) -> [Action] {
            let actions = core.handle(input, now: now)
            for case .start(let launch) in actions { running[launch.service] = launch }
            return actions
        }

        mutating func ready(_ service: ServiceName) throws -> [Action] {
            handle(.ready(try #require(running[service])))
        }

        mutating func end(_ service: ServiceName, _ end: ChildEnd = .signal(9)) throws -> [Action] {
            handle(.ended(try #require(running[service]), end))
        }

        /// An order in which all of them can become ready.
        static let startOrder: [ServiceName] = [.bus, .layout, .notifier, .cache, .delivery, .gateway, .fetcher]

        static func begun() -> Scene {
            var scene = Scene()
            scene.handle(.begin)
            return scene
        }

        /// Returns a scene in which all services are ready.
        static func up() throws -> Scene {
            var scene = Scene.begun()
            for service in startOrder { _ = try scene.ready(service) }
            return scene
        }

        /// Moves to the next deadline, and looks what is due.
        mutating func tick() throws -> [Action] {
            now = try #require(core.nextDeadline)
            return handle(.tick)
        }
    }

    private func services(_ actions: [Action]) -> [ServiceName] {
        actions.compactMap { if case .start(let launch) = $0 { launch.service } else { nil } }
    }

    @Test func aSecondBusIsOneMoreProcessThatIsReplacedAlone() throws {
        var scene = Scene()
        scene.core = SupervisorCore(buses: 2)
        #expect(services(scene.handle(.begin)) == [.bus])
        let first = try #require(scene.running[.bus])
        let others = scene.handle(.ready(first))
        #expect(services(others) == [.bus, .layout, .notifier, .delivery, .gateway, .fetcher])
        let second = try #require(scene.running[.bus])
        #expect([first.copy, second.copy] == [0, 1])
        for case .start(let launch) in others {
            let cache = launch.service == .notifier ? [ServiceName.cache] : []
            #expect(services(scene.handle(.ready(launch))) == cache)
        }
        #expect(try scene.ready(.cache) == [.reportReady])
        let pause = SupervisorCore.firstPause
        #expect(scene.handle(.ended(second, .signal(9))) == [.restartLater(.bus, .signal(9), after: pause)])
        #expect(try scene.tick() == [.start(Launch(service: .bus, number: second.number + 7, copy: 1))])
    }

    @Test func theOthersStartWhenTheBusIsReadyAndTheCacheAfterItsConsumers() throws {
        var scene = Scene()
        #expect(services(scene.handle(.begin)) == [.bus])
        #expect(services(try scene.ready(.bus)) == [.layout, .notifier, .delivery, .gateway, .fetcher])
        #expect(services(try scene.ready(.notifier)) == [])
        _ = try scene.end(.layout)
        #expect(services(try scene.tick()) == [.layout])
        #expect(services(try scene.ready(.layout)) == [.cache])
        _ = try scene.end(.layout)
        #expect(services(try scene.tick()) == [.layout])
        _ = try scene.end(.cache)
        #expect(services(try scene.tick()) == [.cache], "it was started before")
    }

    @Test func theCacheWaitsForABusThatDiedBeforeItsFirstStart() throws {
        var scene = Scene.begun()
        _ = try scene.ready(.bus)
        _ = try scene.end(.bus)
        #expect(services(try scene.ready(.layout) + scene.ready(.notifier)) == [])
        #expect(services(try scene.tick()) == [.bus])
        #expect(services(try scene.ready(.bus)) == [.cache])
    }

    @Test func withoutItsConsumersTheCacheStartsAfterTheBus() throws {
        var scene = Scene()
        scene.core = SupervisorCore([.bus, .cache])
        scene.handle(.begin)
        #expect(services(try scene.ready(.bus)) == [.cache])
    }

    @Test func aCacheThatWaitsIsNotStartedDuringTheStop() throws {
        var scene = Scene.begun()
        _ = try scene.ready(.bus)
        scene.handle(.stop)
        #expect(services(try scene.ready(.layout) + scene.ready(.notifier)) == [])
    }

    @Test func allReadyIsSaidOnce() throws {
        var scene = Scene.begun()
        for service in [ServiceName.bus, .fetcher, .gateway, .delivery, .notifier, .layout] {
            #expect(!(try scene.ready(service)).contains(.reportReady))
        }
        #expect(try scene.ready(.cache) == [.reportReady])
        _ = try scene.end(.cache)
        #expect(services(try scene.tick()) == [.cache])
        #expect(try scene.ready(.cache).isEmpty)
    }

    @Test func pausesDoubleUpToTheLongest() throws {
        var scene = try Scene.up()
        var pauses: [Duration] = []
        for _ in 0..<7 {
            guard case .restartLater(.cache, .signal(9), let pause)? = try scene.end(.cache).first else { continue }
            pauses.append(pause)
            #expect(scene.core.nextDeadline == scene.now + pause)
            #expect(scene.handle(.tick).isEmpty)
            #expect(services(try scene.tick()) == [.cache])
        }
        #expect(pauses == [200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
    }

    @Test func aGoodLifeEndsTheDoubling() throws {
        var scene = try Scene.up()
        for _ in 0..<3 {
            _ = try scene.end(.layout)
            _ = try scene.tick()
        }
        scene.now += SupervisorCore.stableRunTime
        #expect(try scene.end(.layout) == [.restartLater(.layout, .signal(9), after: SupervisorCore.firstPause)])
    }

    @Test func servicesStopOneAfterTheOther() throws {
        var scene = try Scene.up()
        var actions = scene.handle(.stop)
        for service in ServiceName.chain.reversed() {
            #expect(actions == [.terminate(try #require(scene.running[service]))])
            actions = try scene.end(service, .exit(0))
        }
        #expect(actions == [.finish(nil)])
        #expect(scene.handle(.stop).isEmpty)
    }

    @Test func whoDoesNotStopIsKilled() throws {
        var scene = try Scene.up()
        scene.handle(.stop)
        let fetcher = try #require(scene.running[.fetcher])
        #expect(scene.handle(.tick).isEmpty)
        #expect(try scene.tick() == [.kill(fetcher)])
        #expect(scene.core.nextDeadline == nil)
        #expect(scene.handle(.tick).isEmpty)
        #expect(try scene.end(.fetcher) == [.terminate(try #require(scene.running[.gateway]))])
    }

    @Test func nothingStartsDuringTheStop() throws {
        var scene = try Scene.up()
        _ = try scene.end(.layout)
        scene.handle(.stop)
        // Out of order: it died by itself.
        #expect(try scene.end(.cache).isEmpty)
        #expect(try scene.end(.fetcher, .exit(0)) == [.terminate(try #require(scene.running[.gateway]))])
        #expect(try scene.end(.gateway, .exit(0)) == [.terminate(try #require(scene.running[.delivery]))])
        #expect(try scene.end(.delivery, .exit(0)) == [.terminate(try #require(scene.running[.notifier]))])
        #expect(try scene.end(.notifier, .exit(0)) == [.terminate(try #require(scene.running[.bus]))])
        #expect(try scene.end(.bus, .exit(0)) == [.finish(nil)])
    }

    @Test func whatIsHeardOfAnEarlierLifeDoesNotCount() throws {
        var scene = try Scene.up()
        let earlier = try #require(scene.running[.cache])
        _ = try scene.end(.cache)
        _ = try scene.tick()
        #expect(scene.handle(.ended(earlier, .exit(0))).isEmpty)
        #expect(scene.handle(.ready(earlier)).isEmpty)
    }

    @Test func aSystemThatNeverComesUpIsGivenUp() throws {
        var scene = Scene.begun()
        for _ in 1..<SupervisorCore.startAttempts {
            #expect(try scene.end(.bus, .exit(1)).count == 1)
            #expect(services(try scene.tick()) == [.bus])
        }
        #expect(try scene.end(.bus, .exit(1)) == [.finish(.init(service: .bus, end: .exit(1)))])
    }

    @Test func aServiceWhoseStoreCannotBeUsedIsTriedAgainWhileTheOthersRun() throws {
        var scene = Scene.begun()
        for service in [ServiceName.bus, .layout, .fetcher] { _ = try scene.ready(service) }
        for attempt in 1...2 * SupervisorCore.startAttempts {
            let actions = try scene.end(.notifier, .exit(ExitStatus.store.rawValue))
            guard case .restartLater(.notifier, _, _) = actions.first else {
                Issue.record("\(actions)")
                return
            }
            // The cache waits for the notifier, but not for its store.
            #expect(services(Array(actions.dropFirst())) == (attempt == 1 ? [.cache] : []))
            #expect(services(try scene.tick()) == [.notifier])
        }
    }

    @Test func theOthersAreStoppedBeforeItIsGivenUp() throws {
        var scene = Scene.begun()
        for service in [ServiceName.bus, .notifier, .fetcher] { _ = try scene.ready(service) }
        for _ in 1..<SupervisorCore.startAttempts {
            _ = try scene.end(.layout, .exit(1))
            _ = try scene.tick()
        }
        #expect(try scene.end(.layout, .exit(1)) == [.terminate(try #require(scene.running[.fetcher]))])
    }

    /// Passes rounds of requests to all services that run; those answer that are given.
    private func pass(_ rounds: Int, _ scene: inout Scene, answering: [ServiceName]) throws -> [Action] {
        var actions: [Action] = []
        for _ in 0..<rounds {
            scene.now += .seconds(1)
            let answers = scene.running.values.map { ($0, answering.contains($0.service)) }
            actions += scene.handle(
                .health(answers: Dictionary(uniqueKeysWithValues: answers), hasBus: answering.contains(.bus))
            )
        }
        return actions
    }

    @Test func aFrozenServiceIsReplacedAndNobodyElse() throws {
        var scene = try Scene.up()
        #expect(try pass(30, &scene, answering: ServiceName.chain).isEmpty)
        let cache = try #require(scene.running[.cache])
        #expect(try pass(5, &scene, answering: ServiceName.chain.filter { $0 != .cache }).isEmpty)
        #expect(try pass(1, &scene, answering: ServiceName.chain.filter { $0 != .cache }) == [.replace(cache)])
        // It is told once; its end is then an end as every other.
        #expect(try pass(7, &scene, answering: ServiceName.chain.filter { $0 != .cache }).isEmpty)
        #expect(try scene.end(.cache).count == 1)
        #expect(services(try scene.tick()) == [.cache])
        #expect(try pass(5, &scene, answering: ServiceName.chain.filter { $0 != .cache }).isEmpty, "it counts anew")
    }

    @Test func oneAnswerIsEnoughToBeginAnew() throws {
        var scene = try Scene.up()
        for _ in 0..<5 {
            #expect(try pass(5, &scene, answering: [.bus]).isEmpty)
            #expect(try pass(1, &scene, answering: ServiceName.chain).isEmpty)
        }
    }

    @Test func withoutTheBusOnlyTheBusIsReplaced() throws {
        var scene = try Scene.up()
        #expect(try pass(30, &scene, answering: ServiceName.chain).isEmpty)
        let bus = try #require(scene.running[.bus])
        #expect(try pass(20, &scene, answering: []) == [.replace(bus)])
        _ = try scene.end(.bus)
        _ = try scene.tick()
        _ = try scene.ready(.bus)
        // They have time to find it again.
        #expect(try pass(9, &scene, answering: [.bus]).isEmpty)
        #expect(try pass(20, &scene, answering: ServiceName.chain).isEmpty)
        _ = try pass(1, &scene, answering: [])
        #expect(try pass(10, &scene, answering: [.bus]).count == ServiceName.chain.count - 1)
    }

    @Test func nobodyIsReplacedDuringTheStop() throws {
        var scene = try Scene.up()
        scene.handle(.stop)
        #expect(try pass(20, &scene, answering: [.bus]).isEmpty)
    }

    @Test func aReloadReachesEveryServiceThatRuns() throws {
        var scene = try Scene.up()
        _ = try scene.end(.layout)
        let expected = try ServiceName.chain.filter { $0 != .layout }.map {
            Action.reload(try #require(scene.running[$0]))
        }
        #expect(scene.handle(.reload) == expected)
        scene.handle(.stop)
        #expect(scene.handle(.reload).isEmpty)
    }

    @Test func anEndSaysHowItWas() {
        #expect(ChildEnd(status: 0) == .exit(0))
        #expect(ChildEnd(status: 3 << 8) == .exit(3))
        #expect(ChildEnd(status: 9) == .signal(9))
        // With a core dump.
        #expect(ChildEnd(status: 11 | 0x80) == .signal(11))
    }
}

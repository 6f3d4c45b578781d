// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import WidgetSchema

/// One run: all services in one process, with a virtual clock, an unreliable network, and disasters.
///
/// The cores of the bus, the fetchers, the cache, the layout service and the notifier are the real ones, and so are the
/// rules of streams and of bus clients. Equal seeds give equal runs.
final class Simulation {
    struct Settings: Sendable {
        var seed: UInt64
        /// The minimum number of cycles, three quarters of them during the chaos.
        var cycles = 60
        var variant: Variant?
        var without: Set<FaultKind> = []
        var traces = false
        var hasDelivery = false
    }

    /// The minimum duration of the chaos in virtual milliseconds, long enough for a disaster or two.
    static let shortestChaos: Int64 = 15_000
    /// The maximum duration of the chaos in virtual milliseconds.
    static let longestChaos: Int64 = 1_200_000
    /// The time after the chaos in which sources are still fetched: longer than a lease, and than the longest back-off of a cache
    /// whose clock is ahead.
    static let recovery: Int64 = 30_000
    /// The time between the last fetch and the last midnight; the next one is from there to the verdict.
    static let calm: Int64 = 10_000
    static let afterMidnight: Int64 = 6000
    static let day: Int64 = 86_400_000
    /// A midnight of UTC.
    static let someMidnight: Int64 = 1_763_683_200_000
    static let keptTrace = 4000
    /// The token for a request on the bus, too long to be decoded as a health request.
    static let requestToken = Data("{".utf8) + Data(repeating: UInt8(ascii: " "), count: 600) + Data("}".utf8)

    private static let tokenStart = "{\"result\":"

    let settings: Settings
    let faults: Faults
    let networkDice: Dice
    let faultDice: Dice
    let natureDice: Dice
    /// A Boolean value that indicates whether cache and notifier have a standby each.
    let hasStandbys: Bool
    /// A Boolean value that indicates whether the clocks of their machines differ.
    ///
    /// There is no restore then: after one, numbers begin at the wall clock, which must not be behind the one that gave the
    /// last.
    let hasClockDifference: Bool
    private let crashDice: Dice
    private let disasterDice: Dice
    private let base: Int64
    private let clockBase = ContinuousClock.now
    private var queue = EventQueue()
    private(set) var now: Int64 = 0
    private(set) var isChaotic = true
    private(set) var asksOrigins = true
    private(set) var steps = 0
    private(set) var chaosLasted: Int64 = 0
    var crashes = 0
    private(set) var trace: [String] = []
    private(set) var processes: [SimulatedProcess] = []
    private(set) lazy var eventReaders = (0..<3).map { EventStreamReader(self, number: $0) }
    private(set) lazy var buses = (0..<busCount).map { SimulatedBus(self, number: $0) }
    private let busCount: Int
    /// For the disasters of buses and the population of layout instances, so that those of others stay as they are.
    let redundancyDice: Dice
    private(set) lazy var calm = CalmJudge(self)
    private(set) lazy var panels = PanelJudge(self)
    private(set) lazy var oracle = Oracle(self)
    private(set) lazy var origin = SimulatedOrigin(self)
    private(set) lazy var world = SimulatedWorld(self)
    /// A Boolean value that indicates whether the stores are on servers, whose replicas may be promoted.
    let hasForks: Bool
    /// A Boolean value that indicates whether a commit is acknowledged only when a replica has it.
    let isSynchronous: Bool
    let forkDice: Dice
    /// A Boolean value that indicates whether owners and standbys are suspended within their transactions, and whether
    /// stores are taken over during the pause after a failed commit.
    let hasInterleavings: Bool
    let interleavingDice: Dice
    /// For takeovers during the pause after a failed commit.
    let pauseDice: Dice
    /// A Boolean value that indicates whether two processes take one store over, one on each primary of a split brain.
    let hasDisputes: Bool
    let disputeDice: Dice
    /// A Boolean value that indicates whether messages with wrong numbers are published.
    let hasForgeries: Bool
    private(set) lazy var receivers = DeliveryReceivers(self)
    let cacheServers: ServerGroup<CacheMemory>
    let notifierServers: ServerGroup<NotifierMemory>
    var requests: [RequestID: (SimulatedRequest, deadline: Int)] = [:]
    private var answers: [Int: SimulatedAnswer] = [:]
    private var answerCount = 0
    private var updateCounts: [Int: Int] = [:]
    private var updates = WireMemory<Event<Update>>()
    private var laidOuts = WireMemory<Event<LaidOut>>()

    init(_ settings: Settings) {
        self.settings = settings
        let seed = settings.seed
        faults = Faults(seed: seed, without: settings.without)
        networkDice = Dice(seed: seed, stream: 1)
        faultDice = Dice(seed: seed, stream: 2)
        natureDice = Dice(seed: seed, stream: 3)
        crashDice = Dice(seed: seed, stream: 4)
        disasterDice = Dice(seed: seed, stream: 5)
        redundancyDice = Dice(seed: seed, stream: 8)
        busCount = redundancyDice.chance(0.5) ? 2 : 1
        hasStandbys = faults.has(.standbys) && Dice(seed: seed, stream: 9).chance(0.5)
        forkDice = Dice(seed: seed, stream: 10)
        hasForks = forkDice.chance(0.4) && faults.has(.forks)
        isSynchronous = forkDice.chance(0.5)
        interleavingDice = Dice(seed: seed, stream: 11)
        hasInterleavings = interleavingDice.chance(0.4) && faults.has(.interleavings)
        disputeDice = Dice(seed: seed, stream: 12)
        pauseDice = Dice(seed: seed, stream: 13)
        hasForgeries = faults.has(.forgeries) && seed % 5 == 3
        hasDisputes =
            hasForks && !isSynchronous && !hasStandbys && faults.has(.standbys) && faults.has(.disputes)
            && disputeDice.chance(0.7)
        let timeline: UInt32 = hasForks ? 1 : 0
        (cacheServers, notifierServers) = (
            ServerGroup(CacheMemory(timeline: timeline)), ServerGroup(NotifierMemory(timeline: timeline))
        )
        hasClockDifference = hasStandbys && settings.seed % 4 < 2 && !hasForks
        // A midnight occurs during the chaos.
        base = Self.someMidnight - Dice(seed: seed, stream: 6).number(5000...60_000)
    }

    /// The store of the cache on the current primary.
    var cacheStore: CacheMemory { cacheServers.primary }
    /// The store of the notifier on the current primary.
    var notifierStore: NotifierMemory { notifierServers.primary }

    // MARK: Clocks

    var wall: Instant { Instant(milliseconds: base + now) }
    var monotonic: ContinuousClock.Instant { clockBase + .milliseconds(now) }
    var reading: ClockReading { ClockReading(wall: wall, monotonic: monotonic) }

    func virtual(_ instant: ContinuousClock.Instant) -> Int64 {
        let passed = instant - clockBase
        let (seconds, attoseconds) = passed.components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    func virtual(_ instant: Instant) -> Int64 { instant.milliseconds - base }

    func at(_ moment: Int64, _ action: @escaping () -> Void) { queue.add(at: max(moment, now), action) }

    func after(_ pause: Int64, _ action: @escaping () -> Void) { at(now + pause, action) }

    // MARK: The network

    func isLost() -> Bool { isChaotic && networkDice.chance(faults.drop) }

    /// Returns the latency of a message to another process.
    func delay() -> Int64 {
        isChaotic && networkDice.chance(faults.slow) ? networkDice.number(40...Faults.longestDelay) : latency()
    }

    func latency() -> Int64 { networkDice.number(1...40) }

    func publish(_ message: Message, from sender: SimulatedProcess) {
        if settings.traces, let (widget, words) = describe(message) { note("publishes \(words)", sender, widget) }
        message.wasChaotic = isChaotic
        if message.kind == .update { updateCounts[message.hash, default: 0] += 1 }
        for bus in buses { bus.publish(message, from: sender) }
    }

    /// Returns the number of times that the bytes of an update were published.
    func publications(of message: Message) -> Int { updateCounts[message.hash, default: 0] }

    /// Sends a message from a bus to all of its subscribers.
    func deliver(_ message: Message, from bus: SimulatedBus) {
        for process in processes where process.isAlive && process.subscriptions.contains(message.kind) {
            let copies = isChaotic && networkDice.chance(faults.duplicate) ? 2 : 1
            for _ in 0..<copies where !isLost() {
                let generation = process.generation
                after(delay()) {
                    if process.generation == generation { process.receive(message, from: bus.number) }
                }
            }
        }
    }

    /// Returns a token for an answer on the bus.
    func token(for answer: SimulatedAnswer) -> Data {
        answerCount += 1
        answers[answerCount] = answer
        return Data("\(Self.tokenStart)\(answerCount)}".utf8)
    }

    func answer(_ token: Data) -> SimulatedAnswer? {
        let number = token.dropFirst(Self.tokenStart.utf8.count).dropLast()
        return Int(String(decoding: number, as: UTF8.self)).flatMap { answers[$0] }
    }

    /// Decodes an update; the notifier, the oracle and each subscriber decode the same bytes.
    func update(_ bytes: Data) -> Event<Update>? { updates.read(bytes) }

    /// Decodes a laid-out cycle; two layout services publish the same bytes.
    func laidOut(_ bytes: Data) -> Event<LaidOut>? { laidOuts.read(bytes) }

    // MARK: Faults

    func decidesToCrash(_ process: SimulatedProcess) -> Bool {
        guard isChaotic, let service = process.service, let chance = faults.crash[service] else { return false }
        return crashDice.chance(chance)
    }

    func decidesToPause(_ process: SimulatedProcess) -> Int64? {
        guard isChaotic, process.service != .fetcher, crashDice.chance(faults.pause) else { return nil }
        return crashDice.number(50...15_000)
    }

    /// Returns whether a process may be restarted: fetchers are not when the run is about to end.
    func mayStart(_ process: SimulatedProcess) -> Bool { asksOrigins || process.service != .fetcher }

    // MARK: The run

    @discardableResult
    func spawn(_ make: (Int) -> SimulatedProcess, after pause: Int64 = 0) -> SimulatedProcess {
        let process = make(processes.count)
        processes.append(process)
        after(pause) { process.start() }
        return process
    }

    func run() {
        for bus in buses { bus.tick() }
        for _ in 0..<(hasStandbys ? 2 : 1) { spawn { CacheProcess(self, number: $0, waits: self.hasStandbys) } }
        let layouts = faultDice.chance(0.3) ? redundancyDice.pick([2, 2, 3]) : 1
        for _ in 0..<layouts { spawn { LayoutProcess(self, number: $0) } }
        if layouts > 1, redundancyDice.chance(0.5) {
            after(redundancyDice.number(3000...20_000)) { [self] in retireLayout() }
        }
        for _ in 0..<(hasStandbys ? 2 : 1) { spawn { NotifierProcess(self, number: $0, waits: self.hasStandbys) } }
        for _ in 0..<3 { spawn { FetcherProcess(self, number: $0) } }
        spawn { PersonProcess(self, number: $0) }
        if hasForgeries { spawn { ForgerProcess(self, number: $0) } }
        spawn { SubscriberProcess(self, number: $0, joinsLate: false) }
        spawn({ SubscriberProcess(self, number: $0, joinsLate: true) }, after: faultDice.number(1000...30_000))
        for index in 0..<2 {
            spawn { GatewayProcess(self, number: $0, hasPanel: self.panels.arePresent && index == 0) }
        }
        if settings.hasDelivery { beginDelivery() }
        let probe = ProbeProcess(self, number: processes.count)
        self.probe = probe
        spawn { _ in probe }
        for reader in eventReaders { after(500) { reader.connect() } }
        world.begin()
        after(500) { [self] in endChaosInTime() }
        while advance() {}
        if isOver {
            oracle.judgeTheEnd()
            calm.judgeTheEnd()
            if settings.hasDelivery { receivers.judgeTheEnd() }
        }
        // Pending actions keep their processes alive.
        queue = EventQueue()
        for process in processes { process.letGo() }
        for reader in eventReaders { reader.letGo() }
    }

    /// Performs the next action; returns false if the run is over, also by a violation.
    private func advance() -> Bool {
        guard !isOver, oracle.violations.isEmpty, let (moment, action) = queue.removeFirst() else {
            return false
        }
        now = max(now, moment)
        steps += 1
        action()
        return true
    }

    /// Lets all other processes go on until a condition holds, while the caller is in the middle of an action.
    func proceed(until isDone: () -> Bool) { while !isDone(), advance() {} }

    /// Returns the statement before which a transaction is interrupted.
    func pickStatement() -> Statement { interleavingDice.pick(Statement.allCases) }

    private var isOver = false
    private(set) var probe: ProbeProcess?

    /// Returns a Boolean value that indicates whether no live layout instance has a newer engine.
    func isCurrent(_ layout: LayoutProcess) -> Bool {
        !processes.contains { process in
            guard let other = process as? LayoutProcess, other.isAlive else { return false }
            return other.version > layout.version
        }
    }

    /// The instance that a notifier asks that does not know any other.
    var firstLayout: InstanceName? {
        processes.first { $0.service == .layout && !$0.isLeaving }.flatMap { InstanceName(rawValue: $0.name) }
    }

    /// Ends a layout instance for good, as when fewer are wanted.
    private func retireLayout() {
        guard isChaotic, faults.has(.retirements), let process = processes.first(where: { $0.service == .layout })
        else { return }
        note("is no longer wanted", process)
        process.isLeaving = true
        process.crash()
    }

    /// Freezes one of several layout instances, or one of two buses, in otherwise good times.
    private func disturb() {
        let layouts = processes.filter { $0.service == .layout && $0.isAlive }
        let isBus = redundancyDice.chance(0.5)
        let choice = redundancyDice.fraction()
        if isBus, buses.count > 1 {
            calm.disturbs()
            buses[choice < 0.7 ? 0 : 1].freeze(for: CalmJudge.disturbanceLasts)
            after(500) { [self] in
                probe?.ask()
                world.pressAnyWidget()
            }
        } else if !isBus, layouts.count > 1 {
            calm.disturbs()
            layouts[Int(choice * Double(layouts.count))].freeze(for: CalmJudge.disturbanceLasts)
        }
    }

    private func endChaosInTime() {
        let isLongEnough = oracle.cycles >= settings.cycles * 3 / 4 && now >= Self.shortestChaos
        guard isLongEnough || now >= Self.longestChaos else {
            return after(500) { [self] in endChaosInTime() }
        }
        isChaotic = false
        chaosLasted = now
        note("the chaos ends")
        world.end()
        origin.comeBack()
        for process in processes { process.resume() }
        calm.chaosEnds()
        after(CalmJudge.disturbance) { [self] in disturb() }
        after(Self.recovery) { [self] in rest() }
    }

    /// Stops the fetchers and suspends the machines until shortly before midnight.
    ///
    /// Before that, all that was pressed in the chaos is done: otherwise, the run could end while a press is in flight.
    private func rest() {
        let isDone = oracle.cycles >= settings.cycles && !processes.contains { ($0 as? PersonProcess)?.isBusy ?? false }
        guard isDone || now >= 2 * Self.longestChaos else {
            return after(500) { [self] in rest() }
        }
        asksOrigins = false
        for process in processes where process.service == .fetcher { process.crash() }
        after(Self.calm) { [self] in
            let sinceMidnight = (base + now - Self.someMidnight) % Self.day
            let before: Int64 = 4000
            now += (2 * Self.day - sinceMidnight - before) % Self.day
            note("the machines slept")
            calm.sleepEnds()
            if faultDice.chance(0.5) {
                for process in processes where process.service == .cache {
                    process.crash(comesBackAfter: before + 1000)
                }
            }
            let end = before + Self.afterMidnight + (settings.hasDelivery ? DeliveryReceivers.settling : 0)
            after(end) { [self] in isOver = true }
            // Another event must follow, so that the end is processed.
            after(end + 1) {}
        }
    }

    // MARK: Traces

    func note(_ text: @autoclosure () -> String, _ process: SimulatedProcess? = nil, _ widget: WidgetID? = nil) {
        guard settings.traces else { return }
        let who = process.map { "\($0.name).\($0.generation) " } ?? ""
        let what = widget.map { "\($0): " } ?? ""
        trace.append("\(String(repeating: " ", count: max(0, 8 - String(now).count)))\(now) \(what)\(who)\(text())")
        if trace.count > 2 * Self.keptTrace { trace.removeFirst(Self.keptTrace) }
    }
}

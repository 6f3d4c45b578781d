// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

/// The rules for starting, restarting and stopping services.
///
/// It is a value type that starts no process and reads no clock. The first service starts alone; the other services
/// start when the first one is ready, and the cache when its ``consumers`` are ready, too. A dead service is restarted
/// after a pause. The pause doubles with each death, and is reset after the service has run for `stableRunTime`.
/// Services stop one after another, in reverse order of ``ServiceName/chain``. A ready service that no longer answers is
/// killed and then restarted.
struct SupervisorCore: Sendable {
    /// A process that the supervisor keeps running: one copy of a service.
    struct Member: Hashable, Sendable {
        var service: ServiceName
        /// The index of the copy, from 0.
        ///
        /// Only the bus may have a second copy.
        var copy = 0
    }

    /// One start of a service; inputs about an earlier start of the service are ignored.
    struct Launch: Hashable, Sendable {
        var service: ServiceName
        var number: Int
        var copy = 0

        var member: Member { Member(service: service, copy: copy) }
    }

    enum Input: Hashable, Sendable {
        case begin
        case ready(Launch)
        case ended(Launch, ChildEnd)
        /// The result of one round of requests for the health of the ready services.
        ///
        /// `answers` contains the services that were asked, and whether they answered. `hasBus` is true if one of the
        /// buses, no matter which, answered: the other services answer through a bus.
        case health(answers: [Launch: Bool], hasBus: Bool)
        /// The services must reload their configuration.
        case reload
        case stop
        case tick
    }

    enum Action: Hashable, Sendable {
        case start(Launch)
        case terminate(Launch)
        case kill(Launch)
        /// Kill a service that no longer answers; the service is then restarted.
        case replace(Launch)
        case reload(Launch)
        /// Report that all services are ready at the same time for the first time.
        case reportReady
        /// Log that a service has ended and will be restarted after a pause.
        case restartLater(ServiceName, ChildEnd, after: Duration)
        /// End the supervision, because no process is running any more.
        ///
        /// The associated value is nil if the supervisor was told to stop. Otherwise, it names the service that died
        /// `startAttempts` times before all services were ready at the same time.
        case finish(Failure?)
    }

    /// The reason why the supervisor gave up.
    struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        var service: ServiceName
        var end: ChildEnd

        var description: String {
            "the service '\(service.rawValue)' does not start: \(end); its messages on standard error have the reason"
        }
    }

    /// The pause between the first death of a service and its restart.
    static let firstPause: Duration = .milliseconds(200)
    static let longestPause: Duration = .seconds(5)
    /// The time after which a running service counts as stable: after its next death, the pause is `firstPause` again.
    static let stableRunTime: Duration = .seconds(10)
    /// The time between SIGTERM and SIGKILL: the service's own deadline of 2 s, and a reserve for a loaded machine.
    static let stopTimeout: Duration = .milliseconds(2_500)
    /// The number of consecutive rounds of `health` without an answer after which a ready service counts as frozen.
    static let unansweredRounds = 6
    /// The same number after a round in which no bus answered: services need time to reconnect.
    static let reconnectRounds = 10
    /// The number of deaths of one service after which the supervisor gives up.
    ///
    /// This limit applies only until all services have been ready at the same time, and not to deaths because of an
    /// unusable store.
    static let startAttempts = 4
    /// The services that turn a cycle of the cache into a verdict.
    static let consumers: Set<ServiceName> = [.layout, .notifier]

    typealias Moment = ContinuousClock.Instant

    private enum State: Hashable {
        case waiting
        case running(Launch, since: Moment, isReady: Bool)
        case pausing(until: Moment)

        var launch: Launch? { if case .running(let launch, _, _) = self { launch } else { nil } }
        var isReady: Bool { if case .running(_, _, true) = self { true } else { false } }
    }

    private struct Stop {
        var failure: Failure?
        /// The service that was told to stop and still runs; nil if there is none.
        ///
        /// If the service still runs at the time `until`, it is killed.
        var current: (launch: Launch, until: Moment)?
        var wasKilled = false
    }

    private let members: [Member]
    private var states: [Member: State] = [:]
    private var pauses: [Member: Duration] = [:]
    private var deaths: [Member: Int] = [:]
    /// The services that ended because their store could not be used, and have not been ready since.
    private var withoutStore: Set<Member> = []
    private var launches = 0
    private var wereAllReady = false
    private var stop: Stop?
    private var isFinished = false
    /// The number of consecutive rounds in which a ready service has not answered.
    ///
    /// It is negative after a round in which no bus answered.
    private var unanswered: [Launch: Int] = [:]

    /// Creates the rules for these services; `buses` is the number of copies of the bus.
    init(_ services: [ServiceName] = ServiceName.chain, buses: Int = 1) {
        members = services.flatMap { service in
            (0..<(service == .bus ? buses : 1)).map { Member(service: service, copy: $0) }
        }
        for member in members { states[member] = .waiting }
    }

    /// The next time at which a service must be restarted, or killed because it does not stop; nil if nothing is due.
    var nextDeadline: Moment? {
        if let stop { return stop.wasKilled ? nil : stop.current?.until }
        return states.values.compactMap { if case .pausing(let until) = $0 { until } else { nil } }.min()
    }

    mutating func handle(_ input: Input, now: Moment) -> [Action] {
        if isFinished { return [] }
        switch input {
        case .health(let answers, let hasBus): return stop == nil ? replaceFrozen(answers, hasBus: hasBus) : []
        case .reload: return stop == nil ? members.compactMap { states[$0]?.launch }.map(Action.reload) : []
        case .begin: return members.first.map { [start($0, now: now)] } ?? []
        case .ready(let launch): return ready(launch, now: now)
        case .ended(let launch, let end): return ended(launch, end, now: now)
        case .stop: return stop == nil ? beginStop(nil, now: now) : []
        case .tick: return tick(now: now)
        }
    }

    /// Counts the rounds without an answer, and returns the actions that replace the services that no longer answer.
    ///
    /// Rounds are counted, not time: while this process is frozen or the machine is suspended, there are none. The bus
    /// is replaced at any time; the rounds of other services count only while a bus answers.
    private mutating func replaceFrozen(_ answers: [Launch: Bool], hasBus: Bool) -> [Action] {
        members.compactMap { member in
            guard let launch = states[member]?.launch, let hasAnswered = answers[launch] else { return nil }
            if hasAnswered {
                unanswered[launch] = nil
            } else if hasBus || launch.service == .bus {
                unanswered[launch, default: 0] += 1
            } else {
                unanswered[launch] = Self.unansweredRounds - Self.reconnectRounds
            }
            return unanswered[launch] == Self.unansweredRounds ? .replace(launch) : nil
        }
    }

    private mutating func start(_ member: Member, now: Moment) -> Action {
        launches += 1
        let launch = Launch(service: member.service, number: launches, copy: member.copy)
        states[member] = .running(launch, since: now, isReady: false)
        return .start(launch)
    }

    private mutating func ready(_ launch: Launch, now: Moment) -> [Action] {
        guard case .running(launch, let since, false) = states[launch.member] else { return [] }
        states[launch.member] = .running(launch, since: since, isReady: true)
        withoutStore.remove(launch.member)
        guard stop == nil else { return [] }
        var actions = startWaiting(now: now)
        if !wereAllReady, members.allSatisfy({ states[$0]?.isReady == true }) {
            wereAllReady = true
            actions.append(.reportReady)
        }
        return actions
    }

    private mutating func startWaiting(now: Moment) -> [Action] {
        members.filter { states[$0] == .waiting && canStart($0) }.map { start($0, now: now) }
    }

    /// Returns true if the services that must be ready before the first start of `member` are ready.
    ///
    /// The first bus comes first. The cache waits for ``consumers``: a cycle that it published before they had
    /// subscribed would get its verdict only after the next heads, one to two seconds later. It does not wait for one whose
    /// store cannot be used.
    private func canStart(_ member: Member) -> Bool {
        guard let bus = members.first, states[bus]?.isReady == true else { return false }
        guard member.service == .cache else { return true }
        return members.allSatisfy { member in
            !Self.consumers.contains(member.service) || states[member]?.isReady == true || withoutStore.contains(member)
        }
    }

    private mutating func ended(_ launch: Launch, _ end: ChildEnd, now: Moment) -> [Action] {
        let member = launch.member
        guard case .running(launch, let since, _) = states[member] else { return [] }
        states[member] = .waiting
        unanswered[launch] = nil
        if stop != nil {
            guard stop?.current?.launch == launch else { return [] }
            stop?.current = nil
            return stopNext(now: now)
        }
        // A store can be mended or restored while the other services run.
        if end == .exit(ExitStatus.store.rawValue) {
            withoutStore.insert(member)
        } else {
            deaths[member, default: 0] += 1
        }
        if !wereAllReady, deaths[member, default: 0] >= Self.startAttempts {
            return beginStop(Failure(service: member.service, end: end), now: now)
        }
        let livedWell = now - since >= Self.stableRunTime
        let pause = livedWell ? Self.firstPause : pauses[member] ?? Self.firstPause
        pauses[member] = min(pause * 2, Self.longestPause)
        states[member] = .pausing(until: now + pause)
        return [.restartLater(member.service, end, after: pause)] + startWaiting(now: now)
    }

    private mutating func tick(now: Moment) -> [Action] {
        if let current = stop?.current {
            guard stop?.wasKilled == false, current.until <= now else { return [] }
            stop?.wasKilled = true
            return [.kill(current.launch)]
        }
        guard stop == nil else { return [] }
        let starts: [Action] = members.compactMap { member in
            guard case .pausing(let until) = states[member], until <= now else { return nil }
            return start(member, now: now)
        }
        return starts
    }

    private mutating func beginStop(_ failure: Failure?, now: Moment) -> [Action] {
        stop = Stop(failure: failure)
        return stopNext(now: now)
    }

    private mutating func stopNext(now: Moment) -> [Action] {
        guard let launch = members.reversed().lazy.compactMap({ [states] in states[$0]?.launch }).first else {
            isFinished = true
            return [.finish(stop?.failure)]
        }
        stop?.current = (launch, now + Self.stopTimeout)
        stop?.wasKilled = false
        return [.terminate(launch)]
    }
}

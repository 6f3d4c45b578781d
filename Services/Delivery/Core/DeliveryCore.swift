// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceEngine
import Text
import WidgetSchema

/// The core of the service: decides which message goes to which destination, and when.
///
/// A lane is a destination with one widget or board. Its messages are sent one after another; lanes do not wait for each
/// other. The extensions of the core: `Following` takes updates and decides what waits in which lane, `Replays` requests those
/// that are no longer in memory, `States` sends present states, `Sending` begins attempts and handles their results, `Lanes`
/// makes, removes and counts lanes, `Writes` decides what is stored when, `Devices` keeps registered phones and browsers,
/// `Reports` answers questions.
struct DeliveryCore: ServiceCore {
    typealias State = DeliveryState
    typealias Setup = DeliverySetup
    typealias Input = DeliveryInput
    typealias Write = DeliveryWrite
    typealias Effect = DeliveryEffect
    typealias Work = Never
    typealias Done = Never

    /// A time at which something is due.
    struct Timer: Comparable, Sendable {
        enum Target: Hashable, Sendable {
            case lane(LaneKey)
            case server(String)
            /// The oldest message of a ledger no longer counts.
            case ledger(LedgerPlace)
            /// The budgets are no longer halved because of a restore.
            case restore
        }

        var at: Instant
        var target: Target

        static func < (left: Timer, right: Timer) -> Bool { left.at < right.at }
    }

    struct Destination: Sendable {
        var plan: DestinationPlan
        var record: DestinationRecord
        /// A Boolean value that indicates whether the destination is new, and starts when the end of the stream is known.
        var isNew: Bool
        /// The subjects whose present state is sent again, because the destination has lost it.
        var lost: Set<DeliverySubject> = []
        /// The part of the shared ledger in the sums of the report.
        var share = LedgerShare()
    }

    /// The attempts to one server.
    struct Server: Sendable {
        var inFlight = 0
        var ready = Queue<LaneKey>()
        var breaker = CircuitBreaker()
    }

    /// The servers to which attempts may begin, each once, the longest waiting one first.
    struct ReadyServers: Sendable {
        private var queue = Queue<String>()
        private var members: Set<String> = []

        var first: String? { queue.first }

        mutating func insert(_ server: String) { if members.insert(server).inserted { queue.append(server) } }

        mutating func removeFirst() {
            if let first = queue.first { members.remove(first) }
            queue.removeFirst()
        }
    }

    let limits: DeliveryLimits
    let seed: UInt64
    /// The destinations of the configuration, and the registered devices.
    var destinations: [DestinationName: Destination] = [:]
    var lanes: [LaneKey: Lane] = [:]
    var index = LaneIndex()
    /// The configuration in use.
    var plan: DeliveryPlan
    /// The registered devices; empty before the start.
    var devices = DeviceRegistry(now: Instant(milliseconds: 0))
    /// The devices by their names as destinations.
    var deviceIDs: [DestinationName: DeviceID] = [:]
    private var storedDevices: [Device]
    var widgets: [WidgetID: SequenceNumber]
    var restored: BudgetLedger.Restored?
    var wasRestored: Bool
    /// The widgets that changed since the backup of a restored store; empty except while their states are compared.
    var changedSinceBackup: Set<WidgetID> = []
    /// The destinations of each widget that any names, and those that follow all widgets.
    var followers = FollowerIndex()
    var boards = BoardView()
    /// The reader of the stream; nil while there are no destinations.
    var follower: UpdateFollower?
    /// The reader of the states of all widgets; nil if they are known, or not needed.
    var states: UpdateFollower?
    var storedPosition: StreamOffset?
    var isSubscribed: Bool
    /// A Boolean value that indicates whether ``boards`` contains the states of all widgets.
    var hasStates = false
    /// A Boolean value that indicates whether the updates that were missed are known.
    var isCaughtUp = false
    /// The time from which messages are sent even if the missed updates are not known; nil before the start.
    var catchUpEnd: Instant?
    var servers: [String: Server] = [:]
    var readyServers = ReadyServers()
    /// The servers that had as many attempts in flight as others had left; the next end of an attempt lets them go on.
    var saturatedServers = ReadyServers()
    var timers = Heap<Timer>()
    var bodyDigests = MessageBody.Digests()
    var inFlight = 0
    /// The number of requests for missed updates so far.
    var replays: UInt64 = 0
    var changes = Changes()
    var nextReport: Instant?
    /// The time at which the position of the stream is written; nil if it has not changed.
    var positionDue: Instant?
    var lastReport: DeliveryEffect.Report?
    var isStopping = false

    init(_ state: DeliveryState, setup: DeliverySetup, load: UInt64) {
        limits = setup.limits
        seed = StableHash.mixed(setup.seed &+ load)
        widgets = state.widgets
        restored = state.restored
        wasRestored = state.wasRestored
        storedPosition = state.position
        isSubscribed = setup.isSubscribed
        plan = setup.plan
        storedDevices = Array(state.devices.values)
        var plans = setup.plan.destinations
        for device in storedDevices {
            let ofDevice = DestinationPlan(device, setup.plan.devices)
            plans[ofDevice.name] = ofDevice
            deviceIDs[ofDevice.name] = device.id
        }
        for (name, record) in state.destinations where plans[name] == nil {
            // The core forgets them at its start.
            destinations[name] = Destination(plan: .forgotten(name), record: record, isNew: false)
        }
        for (name, plan) in plans {
            let known = state.destinations[name]
            destinations[name] = Destination(
                plan: plan,
                record: known ?? DestinationRecord(fingerprint: plan.fingerprint),
                isNew: known == nil
            )
        }
        for (key, record) in state.lanes {
            lanes[key] = Lane(record: record)
            index.insert(key)
        }
    }

    // MARK: ServiceCore

    mutating func start(now: ClockReading) -> Decisions {
        var step = Decisions()
        let now = now.wall
        devices = DeviceRegistry(storedDevices, now: now)
        storedDevices = []
        catchUpEnd = now.advanced(by: limits.catchUpTimeout)
        clampTimes(&step, now: now)
        if wasRestored { step.effects.append(.note(.restored)) }
        for name in destinations.keys.sorted() where destinations[name]?.plan.isForgotten == true { forget(name) }
        var renewed: Set<DestinationName> = []
        for name in Array(destinations.keys) where renew(name) { renewed.insert(name) }
        for key in Array(lanes.keys) {
            guard destinations[key.destination] != nil else {
                removeLane(key)
                continue
            }
            prepareLane(key, now: now)
            if renewed.contains(key.destination) { endPause(key, now: now) }
            stopIfUnfollowed(key, now: now)
        }
        planEndOfRestore(now: now)
        updateAllSums(now: now)
        followers = FollowerIndex(destinations.values.map(\.plan))
        beginFollowing(&step, now: now)
        for key in lanes.keys.sorted() { schedule(key, now: now) }
        return step
    }

    mutating func handle(_ input: DeliveryInput, now: ClockReading) -> Decisions {
        var step = Decisions()
        let now = now.wall
        switch input {
        case .follow(let input): follow(input, &step, now: now)
        case .answered(let reader, let input): answered(reader, input, &step, now: now)
        case .replayed(let key, let number, let records):
            // The request may have been cancelled since, and another one made.
            if lanes[key]?.replay == number { replayed(key, records, &step, now: now) }
        case .sent(let result): finish(result, &step, now: now)
        case .tested(let name): returnIfGone(name, now: now)
        case .configure(let plan): configure(plan, &step, now: now)
        case .reportRequested(let number, let request):
            step.effects.append(.answer(number, answer(request, now: now)))
        case .deviceRequested(let number, let request): register(number, request, &step, now: now)
        case .kept(let name, let kept): compare(kept, of: name, &step, now: now)
        }
        return step
    }

    mutating func endBatch(now: ClockReading) -> Decisions {
        var step = Decisions()
        let now = now.wall
        if !isCaughtUp, let catchUpEnd, catchUpEnd <= now {
            self.catchUpEnd = nil
            for key in lanes.keys.sorted() { schedule(key, now: now) }
        }
        while let timer = timers.first, timer.at <= now {
            timers.removeFirst()
            passed(timer, now: now)
        }
        let expired = devices.expire(now: now)
        if !expired.isEmpty { apply(expired, &step, now: now) }
        if !isStopping { beginAttempts(&step, now: now) }
        while let request = follower?.nextRequest(at: now) { step.effects.append(.request(.stream, request)) }
        while let request = states?.nextRequest(at: now) { step.effects.append(.request(.states, request)) }
        step.writes += takeWrites(now: now)
        if let rejected = changes.rejectedLane.take() { step.effects.append(.note(.laneLimit(rejected))) }
        if let report = takeReport(now: now) { step.effects.append(.report(report)) }
        return step
    }

    mutating func stop(now: ClockReading) -> Decisions {
        isStopping = true
        return Decisions()
    }

    mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions {
        for key in Array(lanes.keys) {
            lanes[key]?.record.shift(by: change)
            lanes[key]?.timer = nil
            changes.lanes.insert(key)
        }
        for name in Array(destinations.keys) {
            guard let record = destinations[name]?.record, record.blockedUntil != nil || record.ledger != nil else {
                continue
            }
            destinations[name]?.record.shift(by: change)
            changes.destinations.insert(name)
        }
        for server in Array(servers.keys) { servers[server]?.breaker.shift(by: change) }
        catchUpEnd = catchUpEnd?.advanced(by: change)
        (nextReport, positionDue) = (nil, positionDue.map { _ in now.wall })
        timers = Heap()
        for (name, server) in servers { if let until = server.breaker.openUntil { wake(name, at: until) } }
        for key in Array(lanes.keys) { schedule(key, now: now.wall) }
        var step = Decisions()
        if let at = restored?.at.advanced(by: change) {
            restored?.at = at
            step.writes.append(.restored(at))
        }
        planEndOfRestore(now: now.wall)
        updateAllSums(now: now.wall)
        for case .store(let device) in devices.shift(by: change) { step.writes.append(.device(device.id, device)) }
        // Before the start, the registry is empty.
        for index in storedDevices.indices {
            storedDevices[index].registered = storedDevices[index].registered.advanced(by: change)
            step.writes.append(.device(storedDevices[index].id, storedDevices[index]))
        }
        return step
    }

    /// Questions need no write.
    mutating func read(_ input: DeliveryInput) -> DeliveryEffect? { nil }

    var nextDeadline: Deadline? {
        let catchUp = isCaughtUp ? nil : catchUpEnd
        let report = changes.isReportDue ? nextReport : nil
        let times = [timers.first?.at, follower?.nextDeadline, states?.nextDeadline, catchUp, report, positionDue]
        return (times + [devices.nextExpiry]).compactMap { $0 }.min().map(Deadline.wall)
    }

    // MARK: Configuration

    private mutating func configure(_ plan: DeliveryPlan, _ step: inout Decisions, now: Instant) {
        self.plan = plan
        // After a crash, the updates so far must not come again: they would pass other filters.
        positionDue = now
        var plans = plan.destinations
        for device in devices.devices.values {
            let ofDevice = DestinationPlan(device, plan.devices)
            plans[ofDevice.name] = ofDevice
        }
        for name in destinations.keys.sorted() where plans[name] == nil { forget(name) }
        var renewed: Set<DestinationName> = []
        for (name, plan) in plans where adopt(plan, as: name) { renewed.insert(name) }
        let followed = followers.ofBoards.mapValues(Set.init)
        followers = FollowerIndex(destinations.values.map(\.plan))
        // The states of boards that are followed from now on are read.
        if followers.ofBoards.mapValues(Set.init) != followed { hasStates = false }
        beginFollowing(&step, now: now)
        for key in Array(lanes.keys) {
            if destinations[key.destination]?.plan.mode == .latest, lanes[key]?.queue.isEmpty == false {
                lanes[key]?.becomeLatest()
                changes.lanes.insert(key)
            }
            stopIfUnfollowed(key, now: now)
            // The budget may have been removed.
            removeIfUnneeded(key, now: now)
            if renewed.contains(key.destination) { endPause(key, now: now) }
            lanes[key]?.timer = nil
            schedule(key, now: now)
        }
        updateAllSums(now: now)
    }

    /// Adds a destination, or changes its rules; returns whether its address or secrets have changed.
    mutating func adopt(_ plan: DestinationPlan, as name: DestinationName) -> Bool {
        if destinations[name] == nil {
            destinations[name] = Destination(
                plan: plan,
                record: DestinationRecord(fingerprint: plan.fingerprint),
                isNew: true
            )
        } else {
            leaveServer(of: name, for: plan)
            destinations[name]?.plan = plan
        }
        return renew(name)
    }

    /// Takes the lanes of a destination that moves out of the queue of its server, which may wait for a long time.
    ///
    /// The caller plans them anew.
    private mutating func leaveServer(of name: DestinationName, for plan: DestinationPlan) {
        guard let old = destinations[name]?.plan.server, old != plan.server else { return }
        for key in index[name] { lanes[key]?.isReady = false }
        readyServers.insert(old)
    }

    mutating func forget(_ name: DestinationName) {
        if let old = destinations.removeValue(forKey: name) {
            index.replace(old.share, by: LedgerShare())
            readyServers.insert(old.plan.server)
        }
        changes.destinations.insert(name)
        for key in index[name] { removeLane(key) }
    }

    /// Tries a destination again whose address or secrets have changed; returns false if they have not.
    private mutating func renew(_ name: DestinationName) -> Bool {
        guard let destination = destinations[name], destination.record.fingerprint != destination.plan.fingerprint
        else {
            return false
        }
        destinations[name]?.record.fingerprint = destination.plan.fingerprint
        destinations[name]?.record.gone = nil
        destinations[name]?.record.blockedUntil = nil
        changes.destinations.insert(name)
        return true
    }
}

extension DestinationPlan {
    /// Returns a plan for a destination that the configuration no longer has.
    static func forgotten(_ name: DestinationName) -> DestinationPlan {
        DestinationPlan(name: name, kind: "", server: "", fingerprint: "")
    }

    var isForgotten: Bool { kind.isEmpty }
}

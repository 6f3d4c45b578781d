// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Returns the instant that is `seconds` after an arbitrary fixed one.
func at(_ seconds: Int64) -> Instant { Instant(milliseconds: 1_763_683_200_000 + seconds * 1000) }

func widget(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> WidgetID {
    try #require(WidgetID(rawValue: name), sourceLocation: location)
}

func display(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> DisplayName {
    try #require(DisplayName(rawValue: name), sourceLocation: location)
}

func destination(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> DestinationName {
    try #require(DestinationName(rawValue: name), sourceLocation: location)
}

/// Returns a digest for what a display shows.
func digest(of shown: String) throws -> ContentDigest {
    let digits = shown.utf8.map { String($0, radix: 16) }.joined().suffix(64)
    return try #require(ContentDigest(rawValue: String(repeating: "0", count: 64 - digits.count) + digits))
}

/// A core with a store in memory, the notifier as its neighbour, and destinations that the test plays.
struct DeliveryWorld {
    /// One attempt, as a destination saw it.
    struct Arrival {
        var key: LaneKey
        var attempt: DeliveryAttempt
        var at: Instant
        /// The monotonic time in milliseconds.
        var elapsed: Int64
        /// The result; nil if the attempt stays in flight.
        var outcome: DeliveryOutcome?
        /// The device to which the message goes; nil for a destination of the configuration.
        var device: Device?

        func result(_ outcome: DeliveryOutcome) -> AttemptResult {
            AttemptResult(key: key, message: attempt.message, attempt: attempt.number, outcome: outcome)
        }

        func update() throws -> Event<Update> { try WireJSON.decode(Event<Update>.self, from: attempt.body) }
    }

    private(set) var core: DeliveryCore?
    var state = DeliveryState()
    var plan: DeliveryPlan
    var limits = DeliveryLimits()
    /// The wall-clock time, and the monotonic time, in milliseconds.
    private(set) var wall = at(0)
    private var monotonic: Int64 = 0
    private let origin = ContinuousClock.now
    private var load: UInt64 = 0
    private(set) var arrivals: [Arrival] = []
    private(set) var answers: [DeliveriesAnswer] = []
    private(set) var deviceAnswers: [Answer<DeviceAnswer>] = []
    private(set) var reports: [DeliveryEffect.Report] = []
    /// The result of an attempt at a time; nil keeps it in flight.
    var outcome: (DeliveryAttempt, Instant) -> DeliveryOutcome? = { _, _ in .delivered }
    /// The notifier's stream; nil does not answer.
    var notifier = NotifierModel()
    var isNotifierUp = true
    /// A Boolean value that indicates whether the answers to requests for missed updates are held back.
    var holdsReplays = false
    private(set) var heldReplays: [DeliveryInput] = []
    /// A Boolean value that indicates whether requests of the readers are not answered.
    var holdsRequests = false
    private(set) var heldRequests: [(StreamReader, UpdateFollower.Request)] = []

    init(_ plans: [DestinationPlan]) {
        plan = DeliveryPlan(destinations: Dictionary(plans.map { ($0.name, $0) }) { _, last in last })
    }

    /// Returns a started world, in which the widget `news` was there before.
    static func started(_ plans: [DestinationPlan]) throws -> DeliveryWorld {
        var world = DeliveryWorld(plans)
        try world.publish("news", "before")
        try world.start()
        return world
    }

    var now: ClockReading { ClockReading(wall: wall, monotonic: origin + .milliseconds(monotonic)) }

    // MARK: The process

    /// Starts the core from the store, as a new process.
    mutating func start() throws {
        load += 1
        let setup = DeliverySetup(plan: plan, limits: limits, seed: 7)
        core = DeliveryCore(state, setup: setup, load: load)
        let reading = now
        let step = core?.start(now: reading)
        for input in try commit(step) { try run(input) }
        try run(.follow(.subscribed))
    }

    /// Ends the process; attempts in flight are lost.
    mutating func kill() { core = nil }

    /// Ends the process and puts an older copy of its store back; what arrived is forgotten.
    mutating func kill(restoring backup: DeliveryState) {
        kill()
        state = backup
        state.restore(at: wall)
        arrivals = []
    }

    mutating func run(_ input: DeliveryInput) throws {
        var inputs = [input]
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            let reading = now
            var step = core?.handle(input, now: reading)
            if let end = core?.endBatch(now: reading) { step = step.map { $0 + end } }
            inputs += try commit(step)
        }
    }

    /// Lets time pass; what is due on the way happens at its time.
    mutating func pass(_ duration: Duration) throws {
        let end = wall.advanced(by: duration)
        while wall < end {
            var next = end
            if case .wall(let due)? = core?.nextDeadline { next = min(end, max(due, wall.advanced(byMilliseconds: 1))) }
            monotonic += next.milliseconds(since: wall)
            wall = next
            try tick()
        }
    }

    private mutating func tick() throws {
        let reading = now
        let step = core?.endBatch(now: reading)
        for input in try commit(step) { try run(input) }
    }

    /// Sets the wall clock; a running core is told as the engine does.
    mutating func setClock(by change: Duration) throws {
        wall = wall.advanced(by: change)
        let reading = now
        let step = core?.clockChanged(by: change, now: reading)
        for input in try commit(step) { try run(input) }
        try tick()
    }

    /// Commits the writes, performs the effects, and returns the inputs that follow from them.
    @discardableResult
    private mutating func commit(_ step: DeliveryCore.Decisions?) throws -> [DeliveryInput] {
        for write in step?.writes ?? [] { try apply(write) }
        var inputs: [DeliveryInput] = []
        for effect in step?.effects ?? [] {
            switch effect {
            case .request(let reader, let request):
                guard isNotifierUp else { continue }
                if holdsRequests {
                    heldRequests.append((reader, request))
                    continue
                }
                inputs.append(.answered(reader, notifier.answer(request)))
            case .replay(let key, let number, let widget, let from):
                let records = isNotifierUp ? notifier.cycles(of: widget, from: from) : nil
                if holdsReplays {
                    heldReplays.append(.replayed(key, number: number, records))
                } else {
                    inputs.append(.replayed(key, number: number, records))
                }
            case .send(let key, let attempt):
                if let input = arrive(attempt, at: key) { inputs.append(input) }
            case .answer(_, let answer): answers.append(answer)
            case .report(let report): reports.append(report)
            case .push(let key, let attempt, let device):
                if let input = arrive(attempt, at: key, device) { inputs.append(input) }
            case .answerDevice(_, let answer): deviceAnswers.append(answer)
            case .note, .ready, .reads: break
            }
        }
        return inputs
    }

    /// Notes an attempt, and returns its result; nil if it stays in flight.
    private mutating func arrive(_ attempt: DeliveryAttempt, at key: LaneKey, _ device: Device? = nil) -> DeliveryInput?
    {
        let outcome = self.outcome(attempt, wall)
        let arrival = Arrival(
            key: key,
            attempt: attempt,
            at: wall,
            elapsed: monotonic,
            outcome: outcome,
            device: device
        )
        arrivals.append(arrival)
        return outcome.map { .sent(arrival.result($0)) }
    }

    /// Writes as the store does: through JSON, with the bytes besides.
    private mutating func apply(_ write: DeliveryWrite) throws {
        switch write {
        case .position(let position): state.position = position
        case .restored(let time): state.restored?.at = time
        case .widget(let widget, let sequence): state.widgets[widget] = sequence
        case .destination(let name, let record): state.destinations[name] = record
        case .device(let id, let device): state.devices[id] = device
        case .lane(let key, let record):
            guard let record else {
                state.lanes[key] = nil
                return
            }
            var copy = try WireJSON.decode(LaneRecord.self, from: try WireJSON.encode(record))
            copy.message?.body = record.message?.body ?? Data()
            copy.pending?.json = record.pending?.json ?? Data()
            state.lanes[key] = copy
        }
    }

    // MARK: Updates

    /// Publishes an update, of which the running core hears.
    mutating func publish(
        _ name: String,
        _ shown: String,
        result: UpdateResult = .newData,
        reason: Reason = .visibleChange
    ) throws {
        let event = try notifier.add(name, shown, result: result, reason: reason, at: wall)
        guard core != nil else { return }
        try run(.follow(.update(event, json: try WireJSON.encode(event))))
    }

    mutating func configure(_ plans: [DestinationPlan]) throws {
        plan.destinations = Dictionary(plans.map { ($0.name, $0) }) { _, last in last }
        try run(.configure(plan))
    }

    /// Returns the texts that the arrived messages of a widget showed, in order.
    func shown(_ name: String, at destination: String? = nil) throws -> [String] {
        try arrivals.filter { arrival in
            arrival.key.subject == .widget(try widget(name))
                && destination.map { $0 == arrival.key.destination.rawValue } ?? true
        }.map { try $0.update().data.summary }
    }

    mutating func report(_ request: DeliveriesRequest) throws -> DeliveriesAnswer {
        try run(.reportRequested(1, request))
        return try #require(answers.last)
    }

    mutating func clearArrivals() { arrivals = [] }
}

extension DestinationPlan {
    /// Returns the plan of a webhook on a server of its own, or what `change` makes of it.
    static func sample(
        _ name: String,
        _ change: (inout DestinationPlan) throws -> Void = { _ in }
    ) throws -> DestinationPlan {
        var plan = DestinationPlan(
            name: try destination(name),
            kind: "webhook",
            server: "https://\(name).example:443",
            fingerprint: "1"
        )
        try change(&plan)
        return plan
    }
}

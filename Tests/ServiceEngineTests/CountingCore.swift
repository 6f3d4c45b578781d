// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// A core with one counter per key: an input adds to it, and each addition is committed and then announced.
struct CountingCore: ServiceCore {
    typealias Work = Squaring
    typealias Done = Square

    struct Setup: Equatable {
        var name = "n"
    }

    enum Input: Equatable {
        case add(String, Int)
        /// Adds the square of a number, which the workers compute.
        case addSquare(String, Int)
        /// Asks for the sum of a key.
        case ask(String)
        case nothing
    }

    enum Effect: Equatable {
        case started([String: Int], load: UInt64, setup: String)
        case announce(String, Int)
        /// The answer, which is read from the store.
        case answer(String)
        case clockChanged(Duration)
        case stopped
        case ended(ClockReading)
    }

    struct Write: Equatable {
        var key: String
        var sum: Int
    }

    struct Squaring: Equatable {
        var key: String
        var number: Int
    }

    struct Square: Equatable {
        var key: String
        var square: Int
    }

    private(set) var sums: [String: Int]
    private let setup: Setup
    private let load: UInt64
    /// The deadline that the core has once it was started.
    var nextDeadline: Deadline?
    private var hasStopped = false

    init(_ state: [String: Int], setup: Setup, load: UInt64) {
        (sums, self.setup, self.load) = (state, setup, load)
    }

    var isFinished: Bool { hasStopped && sums["unfinished"] == nil }

    mutating func start(now: ClockReading) -> Decisions {
        nextDeadline = .wall(now.wall.advanced(byMilliseconds: 250))
        return Decisions(effects: [.started(sums, load: load, setup: setup.name)])
    }

    mutating func handle(_ input: Input, now: ClockReading) -> Decisions {
        switch input {
        case .add(let key, let number): return add(key, number)
        case .addSquare(let key, let number): return Decisions(work: [Squaring(key: key, number: number)])
        case .ask(let key): return Decisions(effects: [.answer(key)])
        case .nothing: return Decisions()
        }
    }

    private mutating func add(_ key: String, _ number: Int) -> Decisions {
        let sum = (sums[key] ?? 0) + number
        sums[key] = sum
        return Decisions(writes: [Write(key: key, sum: sum)], effects: [.announce(key, sum)])
    }

    mutating func finish(_ done: [Square], now: ClockReading) -> Decisions {
        var step = Decisions()
        for result in done {
            step += add(result.key, result.square)
            // A result may lead to more work.
            if result.square == 16 { step.work.append(Squaring(key: result.key, number: 3)) }
        }
        return step
    }

    mutating func endBatch(now: ClockReading) -> Decisions { Decisions(effects: [.ended(now)]) }

    mutating func clockChanged(by change: Duration, now: ClockReading) -> Decisions {
        Decisions(effects: [.clockChanged(change)])
    }

    mutating func stop(now: ClockReading) -> Decisions {
        hasStopped = true
        return Decisions(effects: [.stopped])
    }

    func read(_ input: Input) -> Effect? {
        guard case .ask(let key) = input, sums[key] != nil else { return nil }
        return .answer(key)
    }
}

/// Squares numbers, and remembers in which batches it was asked to.
final class SquaringPool: Workers {
    private(set) var batches: [[Int]] = []

    func run(_ work: [CountingCore.Squaring]) -> [CountingCore.Square] {
        batches.append(work.map(\.number))
        return work.map { CountingCore.Square(key: $0.key, square: $0.number * $0.number) }
    }
}

/// A store in memory that fails when told to.
final class CountingStore: ServiceStore {
    struct Broken: Error, Equatable {}
    struct Owned: Error, Equatable {}

    enum Failure {
        /// Nothing is written.
        case before
        /// The commit writes everything and then throws.
        case after
        /// It can be read and not written.
        case locked
        /// It can be neither read nor written.
        case damaged
        case takenOver
    }

    var failure: Failure?
    var ownership: Ownership?
    private(set) var sums: [String: Int] = [:]
    private(set) var commits: [[CountingCore.Write]] = []
    private(set) var pauses: [Bool] = []
    private(set) var loads = 0

    var reader: [String: Int] { sums }

    func load() throws(StoreFailure) -> [String: Int] {
        loads += 1
        if failure == .takenOver { throw .takenOver(Owned()) }
        if failure == .damaged { throw .discard(Broken()) }
        return sums
    }

    func commit(_ writes: [CountingCore.Write]) throws(StoreFailure) {
        commits.append(writes)
        if failure == .takenOver { throw .takenOver(Owned()) }
        if failure == .damaged { throw .discard(Broken()) }
        if !writes.isEmpty, failure == .before || failure == .locked { throw .discard(Broken()) }
        for write in writes { sums[write.key] = write.sum }
        if !writes.isEmpty, failure == .after { throw .discard(Broken()) }
    }

    func setPaused(_ paused: Bool) { pauses.append(paused) }

    func maintain() {}
}

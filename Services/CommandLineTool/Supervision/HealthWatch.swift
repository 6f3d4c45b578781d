// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import MessageBus
import ServiceRuntime
import WidgetSchema

/// A thread that requests the health of services at regular intervals, to find frozen processes.
///
/// A frozen process does not answer. An answer only shows that the process runs: a service that waits for a slow disk
/// also answers.
final class HealthWatch: Sendable {
    /// The interval between two requests to a service, which is also the timeout of each request.
    static let interval: Duration = .seconds(1)

    private struct Ended: Sendable {}

    private let client: BusClient
    private let watched = Lock<[SupervisorCore.Launch: RequestTarget]>([:])

    /// Starts the thread that sends the requests; the bus need not be running.
    ///
    /// `onRound` is called on this thread with each `.health`.
    ///
    /// Throws `BusAddressError` if an address has the host `*` or the port 0, to which no client can connect. Throws
    /// `ZeroMQError` if the process has no descriptors left.
    init(_ buses: BusAddresses, onRound: @escaping @Sendable (SupervisorCore.Input) -> Void) throws {
        client = try BusClient(BusConfiguration(addresses: buses))
        ServiceThread.start(named: "health-watch") { [self] in run(onRound) }
    }

    /// Starts to request the health of a service that has become ready.
    ///
    /// `instance` is the name of the service's process, to which the requests are sent. An earlier launch of the same
    /// service is no longer watched.
    func watch(_ launch: SupervisorCore.Launch, instance: InstanceName) {
        watched.withLock { watched in
            watched = watched.filter { $0.key.member != launch.member }
            watched[launch] = RequestTarget(launch.service, instance: instance)
        }
    }

    func forget(_ launch: SupervisorCore.Launch) { watched.withLock { $0[launch] = nil } }

    func close() { client.post(Ended()) }

    private func run(_ onRound: (SupervisorCore.Input) -> Void) {
        defer { client.close() }
        while true {
            let bus = client.request(RequestTarget(.bus), HealthRequest(), deadline: Self.interval)
            var hasBus = false
            var launches: [RequestID: SupervisorCore.Launch] = [:]
            for (launch, target) in watched.withLock(\.self) {
                let id = client.request(target, HealthRequest(), deadline: Self.interval, waitsForService: false)
                launches[id] = launch
            }
            var answers = Dictionary(uniqueKeysWithValues: launches.values.map { ($0, false) })
            let next = ContinuousClock.now + Self.interval
            while ContinuousClock.now < next {
                for input in client.nextBatch(until: next) {
                    switch input {
                    case .answer(let id, let json, _):
                        let answer = try? WireJSON.decode(Answer<HealthAnswer>.self, from: json).get()
                        guard answer != nil else { continue }
                        if id == bus { hasBus = true }
                        if let launch = launches[id] { answers[launch] = true }
                    case .posted(is Ended), .stopped: return
                    default: continue
                    }
                }
            }
            onRound(.health(answers: answers, hasBus: hasBus))
        }
    }
}

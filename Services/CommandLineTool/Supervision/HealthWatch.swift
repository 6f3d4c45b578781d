// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import ServiceRuntime
import Synchronization
import WidgetSchema

/// Asks services over the bus for their health, again and again; a process that is frozen does not answer.
///
/// The questions and answers have a thread of their own. Answers are those of the process, not of its work: a service that
/// waits for a slow disk answers.
final class HealthWatch: Sendable {
    /// The interval between two questions to a service, and the deadline of each.
    static let interval: Duration = .seconds(1)

    private struct Ended: Sendable {}

    private let client: BusClient
    private let watched = Mutex<[SupervisorCore.Launch: RequestTarget]>([:])

    /// Throws if there is no way to connect to such an address; whether a bus is there is another question.
    init(_ bus: BusAddress, onAnswer: @escaping @Sendable (SupervisorCore.Input) -> Void) throws {
        client = try BusClient(BusConfiguration(address: bus))
        ServiceThread.start(named: "health-watch") { [self] in run(onAnswer) }
    }

    /// Watches a service that has become ready, in the place of an earlier launch.
    func watch(_ launch: SupervisorCore.Launch, instance: InstanceName) {
        watched.withLock { watched in
            watched = watched.filter { $0.key.service != launch.service }
            watched[launch] = RequestTarget(launch.service, instance: instance)
        }
    }

    func forget(_ launch: SupervisorCore.Launch) { watched.withLock { $0[launch] = nil } }

    func close() { client.post(Ended()) }

    private func run(_ onAnswer: (SupervisorCore.Input) -> Void) {
        defer { client.close() }
        while true {
            var asked: [RequestID: SupervisorCore.Input] = [:]
            let bus = client.request(RequestTarget(.bus), HealthRequest(), deadline: Self.interval)
            asked[bus] = .busAnswered
            for (launch, target) in watched.withLock(\.self) {
                let id = client.request(target, HealthRequest(), deadline: Self.interval, waitsForService: false)
                asked[id] = .answered(launch)
            }
            let next = ContinuousClock.now + Self.interval
            while ContinuousClock.now < next {
                for input in client.nextBatch(until: next) {
                    switch input {
                    case .answer(let id, let json, _):
                        let answer = try? WireJSON.decode(Answer<HealthAnswer>.self, from: json).get()
                        if answer != nil, let meaning = asked.removeValue(forKey: id) { onAnswer(meaning) }
                    case .posted(is Ended), .stopped: return
                    default: continue
                    }
                }
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// A client that asks one question while something stands still, and expects the answer within a second.
///
/// It also sends requests to owners whose stores may have been taken over, and ignores the answers.
final class ProbeProcess: SimulatedProcess {
    static let timeout: Int64 = 1000

    private var isWanted = false
    private var asked: RequestID?
    /// The services that get a request whose answer is ignored.
    private var ignoredRequests: [ServiceName] = []

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: nil, number: number, subscriptions: [])
    }

    func ask() {
        isWanted = true
        run()
    }

    /// Sends a read request to a service, and ignores the answer.
    func ask(_ service: ServiceName) {
        ignoredRequests.append(service)
        run()
    }

    override var deadline: Int64? { isWanted || !ignoredRequests.isEmpty ? simulation.now : nil }

    override func decide(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .bus(.answer(let id, _, _)) where id == asked: asked = nil
            case .bus(.requestFailed(let id, let error)) where id == asked:
                asked = nil
                simulation.oracle.report("a request is not answered within a second", "\(error.code)")
            default: break
            }
        }
        for service in ignoredRequests {
            let question: SimulatedRequest = service == .cache ? .refreshedLast([]) : .updatesLast([], after: nil)
            then { [self] in request(service, question, deadline: Self.timeout) }
        }
        ignoredRequests = []
        guard isWanted else { return }
        isWanted = false
        then { [self] in asked = request(.notifier, .updatesLast([], after: nil), deadline: Self.timeout) }
    }
}

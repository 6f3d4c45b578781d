// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// A client that asks one question while something stands still, and expects the answer within a second.
///
/// It also asks owners that may have been taken over, whose answers it ignores.
final class ProbeProcess: SimulatedProcess {
    static let timeout: Int64 = 1000

    private var isWanted = false
    private var asked: RequestID?
    /// The services of the questions whose answers are ignored.
    private var idleQuestions: [ServiceName] = []

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: nil, number: number, subscriptions: [])
    }

    func ask() {
        isWanted = true
        run()
    }

    /// Asks a service for what is there, and ignores the answer.
    func ask(_ service: ServiceName) {
        idleQuestions.append(service)
        run()
    }

    override var deadline: Int64? { isWanted || !idleQuestions.isEmpty ? simulation.now : nil }

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
        for service in idleQuestions {
            let question: SimulatedRequest = service == .cache ? .refreshedLast([]) : .updatesLast([], after: nil)
            then { [self] in request(service, question, deadline: Self.timeout) }
        }
        idleQuestions = []
        guard isWanted else { return }
        isWanted = false
        then { [self] in asked = request(.notifier, .updatesLast([], after: nil), deadline: Self.timeout) }
    }
}

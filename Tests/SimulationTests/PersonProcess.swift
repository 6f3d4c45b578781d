// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// A person who shows more and less, one command after another, and retries each until it is done.
final class PersonProcess: SimulatedProcess {
    private var wanted: [CommandRequest] = []
    private var counter: UInt64 = 0
    private var asked: RequestID?

    init(_ simulation: Simulation, number: Int) {
        super.init(simulation, service: nil, number: number, subscriptions: [])
    }

    /// A Boolean value that indicates whether something that was pressed is not done yet.
    var isBusy: Bool { !wanted.isEmpty }

    func press(_ widget: WidgetID, _ isExpanded: Bool) {
        counter += 1
        wanted.append(
            CommandRequest(client: "person", counter: counter, widget: widget, command: .setExpanded(isExpanded))
        )
        run()
    }

    override var deadline: Int64? { asked == nil && !wanted.isEmpty ? simulation.now : nil }

    override func decide(_ inputs: [Input]) {
        for input in inputs {
            switch input {
            case .bus(.answer(let id, _, _)) where id == asked:
                asked = nil
                wanted.removeFirst()
            case .bus(.requestFailed(let id, let error)) where id == asked:
                asked = nil
                if ![.unavailable, .failed, .timedOut].contains(error.code) { wanted.removeFirst() }
            default: break
            }
        }
        guard asked == nil, let command = wanted.first else { return }
        then { [self] in asked = request(.cache, .command(command), deadline: 5000) }
    }
}

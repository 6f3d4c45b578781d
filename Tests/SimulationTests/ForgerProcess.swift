// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A process that publishes messages of other services with wrong numbers during the chaos, as a defect or an attacker would.
final class ForgerProcess: SimulatedProcess {
    private let dice: Dice
    private var nextAt: Int64 = 0
    /// The last messages of the chain, which are forged.
    private var refreshed: [WidgetID: Event<Refreshed>] = [:]
    private var laidOut: [WidgetID: Event<LaidOut>] = [:]

    init(_ simulation: Simulation, number: Int) {
        dice = Dice(seed: simulation.settings.seed, stream: 14)
        super.init(simulation, service: nil, number: number, subscriptions: [.refreshed, .laidOut])
    }

    override func begin() { nextAt = simulation.now + dice.number(200...5000) }

    override var deadline: Int64? { simulation.isChaotic ? nextAt : nil }

    override func decide(_ inputs: [Input]) {
        for case .message(let message) in inputs {
            switch message.body {
            case .refreshed(let event, _): if let widget = event.widget { refreshed[widget] = event }
            case .laidOut(let bytes):
                if let event = simulation.laidOut(bytes), let widget = event.widget { laidOut[widget] = event }
            default: break
            }
        }
        guard simulation.isChaotic, simulation.now >= nextAt else { return }
        nextAt = simulation.now + dice.number(200...8000)
        forge()
    }

    private func forge() {
        guard let widget = refreshed.keys.sorted().randomElement(using: dice), let cycle = refreshed[widget] else {
            return
        }
        let last = max(cycle.range?.sequence ?? .zero, laidOut[widget]?.range?.sequence ?? .zero)
        let sequence = SequenceNumber(
            dice.pick([last.number, last.number + 1, last.number + 2, last.number + 80_000_000])
        )
        let first = dice.chance(0.8) ? SequenceNumber(1) : sequence
        guard let range = SequenceRange(first: first, sequence: sequence) else { return }
        simulation.oracle.forges(sequence, of: widget)
        switch dice.number(0...2) {
        case 0:
            var data = cycle.data
            data.times.committed = simulation.wall.advanced(byMilliseconds: -1)
            data.contentSequence = data.content == nil ? nil : dice.pick([sequence, data.contentSequence ?? sequence])
            let event = Event(.refreshed(widget), widget: widget, range: range, time: simulation.wall, data: data)
            publish(Message(.refreshed(event, nil)))
        case 1:
            guard var data = laidOut[widget]?.data else { return }
            data.times.committed = simulation.wall.advanced(byMilliseconds: -1)
            let event = Event(Topic.laidOut(widget), widget: widget, range: range, time: simulation.wall, data: data)
            if let bytes = try? WireJSON.encode(event) { publish(Message(.laidOut(bytes))) }
        default:
            publish(Message(.cacheHeads([widget: Head(sequence: sequence)], id: "forged-\(simulation.now)")))
        }
    }
}

extension Array {
    fileprivate func randomElement(using dice: Dice) -> Element? { isEmpty ? nil : dice.pick(self) }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import Gateway

/// A reader of server-sent events that goes from gateway to gateway with its last id, and is slow at times.
///
/// It drops what it has seen by (widget, sequence), and keeps a record to judge the streams by.
final class EventStreamReader {
    private unowned let simulation: Simulation
    let number: Int
    private let dice: Dice
    private var stream: SimulatedStream?
    private var lastID: StreamOffset?
    private var takesStates = false
    private(set) var last: [WidgetID: SequenceNumber] = [:]
    private(set) var gaps = 0

    init(_ simulation: Simulation, number: Int) {
        self.simulation = simulation
        self.number = number
        dice = Dice(seed: simulation.settings.seed, stream: UInt64(100 + number))
    }

    var name: String { "reader-\(number)" }

    /// Returns the time that the next chunk takes to arrive, in milliseconds.
    func delay() -> Int64 {
        simulation.isChaotic && dice.chance(0.1) ? dice.number(500...8000) : dice.number(1...40)
    }

    // MARK: Connections

    func connect() {
        let gateways = simulation.processes.compactMap { $0 as? GatewayProcess }.filter { $0.isAlive && $0.isReady }
        guard let gateway = gateways.isEmpty ? nil : dice.pick(gateways) else {
            return simulation.after(500) { [self] in connect() }
        }
        let stream = SimulatedStream(simulation, reader: self, gateway: gateway)
        self.stream = stream
        gateway.accept(stream, since: lastID)
        guard simulation.isChaotic else { return }
        simulation.after(dice.number(2000...20_000)) { [self] in
            guard self.stream === stream, simulation.isChaotic else { return }
            stream.leave()
            lost(stream)
        }
    }

    func lost(_ stream: SimulatedStream) {
        guard self.stream === stream else { return }
        self.stream = nil
        simulation.after(dice.number(100...2500)) { [self] in connect() }
    }

    /// Lets go of all that it holds, at the end of a run.
    func letGo() { stream = nil }

    // MARK: Events

    func receive(_ data: Data) {
        var announced: Int?
        var states = 0
        for block in String(decoding: data, as: UTF8.self).split(separator: "\n\n") {
            var fields: [Substring: Substring] = [:]
            for line in block.split(separator: "\n") {
                guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { continue }
                fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == " " }
            }
            let id = fields["id"].flatMap { StreamOffset($0) }
            switch fields["event"] {
            case "start":
                let start = fields["data"].flatMap { try? WireJSON.decode(StreamStart.self, from: Data($0.utf8)) }
                let hasGap = start?.gap ?? false
                let position = lastID?.description ?? "nothing"
                simulation.note("\(name) starts after \(position)\(hasGap ? ", with a gap" : "")")
                takesStates = hasGap || lastID == nil
                if hasGap { gaps += 1 }
                if takesStates { (last, announced) = ([:], start?.widgets) }
            case "update":
                if id == nil { states += 1 }
                if let text = fields["data"], let event = simulation.update(Data(text.utf8)) {
                    take(event, isState: id == nil && takesStates)
                }
            default: break
            }
            if let id { lastID = id }
        }
        // The states are in one chunk with the start.
        if let announced, announced != states {
            let detail = "\(name): \(states) states, not \(announced)"
            simulation.oracle.report("a stream shows another number of states than it announces", detail)
        }
    }

    private func take(_ event: Event<Update>, isState: Bool) {
        guard let widget = event.widget, let range = event.range else { return }
        guard !isState, let before = last[widget] else {
            simulation.note("\(name) begins with \(range)", nil, widget)
            last[widget] = max(last[widget] ?? .zero, range.sequence)
            return
        }
        guard range.sequence > before else { return }
        simulation.note("\(name) is told of \(range) \(event.data.result.rawValue)", nil, widget)
        if range.first > before.next {
            simulation.oracle.report("a reader of events misses cycles", widget, "\(name): \(before), then \(range)")
        } else if event.data.result != .newData, isOfCurrentEpoch(event),
            simulation.oracle.wasNewData(widget, from: before.next, to: range.sequence)
        {
            simulation.oracle.report("a reader of events is not told of a change", widget, "\(name): \(range)")
        }
        last[widget] = range.sequence
    }

    /// Returns false for an update that was in flight while a restored store began another epoch, with other results.
    private func isOfCurrentEpoch(_ event: Event<Update>) -> Bool {
        event.offset?.epoch == simulation.notifierStore.end.epoch
    }
}

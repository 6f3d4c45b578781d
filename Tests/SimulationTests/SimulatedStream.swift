// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

@testable import Gateway
@testable import WebServer

/// The connection of one reader to a gateway: in order, and lost as a whole.
final class SimulatedStream: EventSink {
    /// The number of chunks that the system takes before a reader has read them.
    private static let capacity = 2

    private unowned let simulation: Simulation
    let reader: EventStreamReader
    private unowned let gateway: GatewayProcess
    private var outbox: [Data] = []
    private var inFlight = 0
    private var lastAt: Int64 = 0
    private var isFinishing = false
    private(set) var isEnded = false

    init(_ simulation: Simulation, reader: EventStreamReader, gateway: GatewayProcess) {
        self.simulation = simulation
        self.reader = reader
        self.gateway = gateway
    }

    var isDrained: Bool { !isEnded && outbox.isEmpty && inFlight < Self.capacity }

    func write(_ chunk: WebChunk) -> WebStream.WriteResult {
        guard !isEnded, !isFinishing else { return .closed }
        outbox.append(Data(chunk.wire(chunked: false)))
        return outbox.count + inFlight > Self.capacity ? .waiting : .sent
    }

    func finish() { isFinishing = true }

    /// Gives the system what it takes.
    func flush() {
        while !isEnded, inFlight < Self.capacity, !outbox.isEmpty {
            let data = outbox.removeFirst()
            lastAt = max(lastAt, simulation.now + reader.delay())
            inFlight += 1
            simulation.at(lastAt) { [self] in arrive(data) }
        }
        if isFinishing, outbox.isEmpty, inFlight == 0 { cut() }
    }

    private func arrive(_ data: Data) {
        guard !isEnded else { return }
        inFlight -= 1
        reader.receive(data)
        if !isEnded { gateway.hasRoom(self) }
    }

    /// Cuts the connection; data in flight is lost.
    func cut() {
        guard !isEnded else { return }
        isEnded = true
        reader.lost(self)
    }

    /// Closes the connection on the side of the reader; the gateway learns of it after the latency.
    func leave() {
        guard !isEnded else { return }
        isEnded = true
        simulation.after(simulation.latency()) { [self] in gateway.left(self) }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A server with the store of one service.
class SimulatedServer {
    enum Condition {
        case serving
        /// Reads are answered, and no commit is acknowledged: a primary with synchronous mode that has lost its replicas.
        case cutOff
        case stopped
    }

    /// The timeline; 0 for a store without a server.
    let timeline: UInt32
    let row: StoreOwner
    private(set) var condition = Condition.serving
    /// The number of times at which all connections have ended.
    private(set) var breaks = 0
    /// The number of commits that were acknowledged while the server was cut off.
    var wronglyAcknowledged = 0

    init(timeline: UInt32, row: StoreOwner) {
        (self.timeline, self.row) = (timeline, row)
    }

    /// The timeline as a store notes it; nil without a server.
    var place: String? {
        guard timeline > 0 else { return nil }
        let digits = String(timeline, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Notes in the store that it may be older than what its service has published.
    func noteRestore() {}

    func endConnections() {
        breaks += 1
        row.endTransaction()
    }

    func change(to condition: Condition) {
        self.condition = condition
        if condition == .stopped { endConnections() }
    }
}

/// A server whose store can be copied to a replica.
protocol ReplicatedServer: SimulatedServer {
    /// Returns a server with the same store on a later timeline.
    func replica(timeline: UInt32) -> Self
}

/// The servers with the store of one service: the primary, and a former primary in a split brain.
final class ServerGroup<Server: ReplicatedServer> {
    private(set) var primary: Server
    private(set) var former: Server?
    /// The replica that receives no more commits and is about to be promoted.
    private var replica: Server?

    init(_ primary: Server) { self.primary = primary }

    /// The servers that a process may reach: the one with the highest timeline comes last.
    var reachable: [SimulatedServer] { (former.map { [$0] } ?? []) + [primary] }

    var isForking: Bool { replica != nil || former != nil }

    /// Stops the replication, so that the next commits are on the primary alone.
    func detachReplica() { replica = primary.replica(timeline: primary.timeline + 1) }

    /// Promotes the replica; the former primary goes on in the given condition.
    func promote(former condition: SimulatedServer.Condition) {
        guard let replica else { return }
        primary.change(to: condition)
        former = condition == .stopped ? nil : primary
        primary = replica
        self.replica = nil
    }

    /// Discards the former primary, and returns it; also gives up a replica that was not promoted.
    @discardableResult
    func endSplit() -> Server? {
        replica = nil
        defer { former = nil }
        former?.change(to: .stopped)
        return former
    }
}

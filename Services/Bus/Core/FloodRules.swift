// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The rules that find the connections which keep the forwarding thread in libzmq.
///
/// First those end that send more than a connection may. If the thread then still does not come back, many connections
/// share the flood, and those of the address that sends most end; at the next check, those of the next address. An address
/// that sends no more than one connection may is no part of it: the thread can be busy for another reason.
struct FloodRules {
    /// A connection of a subscriber, as the kernel describes it.
    struct Connection: Hashable {
        let descriptor: Int32
        let address: String
        /// The number of bytes that the kernel has received since the connection began; 0 if it is unknown.
        let received: UInt64
        /// The number of bytes that the bus has not read.
        let unread: Int
    }

    /// A connection that must end.
    struct Flood: Hashable {
        let descriptor: Int32
        let address: String
        /// The number of bytes that arrived, or were not read, while the thread did not come back.
        let recent: Int
    }

    /// The processor time without progress from which on the bytes of connections are measured.
    static let measuredTime = Duration.milliseconds(5)
    /// The processor time without progress above which connections end that have sent more than they may.
    ///
    /// To add the subscriptions that one connection may have takes a few milliseconds.
    static let busyTime = Duration.milliseconds(50)
    /// The processor time without progress above which the connections of an address end.
    ///
    /// After a restart of the bus, 100,000 subscriptions from one address take less.
    static let longBusyTime = Duration.seconds(1)
    /// The number of bytes from which on a connection counts as a part of a flood.
    static let minimumBytes = 1024
    /// The maximum number of bytes around a prefix in a frame (rfc.zeromq.org/spec/23).
    private static let frameBytes = 16

    /// The number of bytes that a connection may send: it ends all its subscriptions, and begins as many.
    let allowedBytes: Int
    private var progress = 0
    /// The processor time at the last progress.
    private var processorTime = Duration.zero
    /// The number of bytes that each connection had sent when they were first measured after the last progress.
    private var before: [Int32: UInt64]?
    /// The connections that have ended since the last progress.
    private var ended: Set<Int32> = []

    init(_ limits: SubscriptionLimits) {
        allowedBytes = 2 * (limits.bytes + limits.count * Self.frameBytes)
    }

    /// Returns the connections that must end; calls `measure` only if the forwarding thread makes no progress.
    mutating func floods(progress: Int, processorTime: Duration, measure: () -> [Connection]) -> [Flood] {
        guard progress == self.progress else {
            (self.progress, self.processorTime, before, ended) = (progress, processorTime, nil, [])
            return []
        }
        let busy = processorTime - self.processorTime
        guard busy > Self.measuredTime else { return [] }
        let connections = measure()
        guard let before else {
            self.before = Dictionary(connections.map { ($0.descriptor, $0.received) }) { $1 }
            return []
        }
        guard busy > Self.busyTime else { return [] }
        let open = connections.filter { !ended.contains($0.descriptor) }.map { connection in
            // A smaller number is that of a later connection with the same descriptor.
            let start = min(before[connection.descriptor] ?? connection.received, connection.received)
            return Flood(
                descriptor: connection.descriptor,
                address: connection.address,
                recent: max(Int(clamping: connection.received - start), connection.unread)
            )
        }
        var floods = open.filter { $0.recent > allowedBytes }
        if floods.isEmpty, busy > Self.longBusyTime {
            let parts = Dictionary(grouping: open.filter { $0.recent >= Self.minimumBytes }, by: \.address)
            floods =
                parts.filter { Self.bytes($0.value) > allowedBytes }
                .max { (Self.bytes($0.value), $0.key) < (Self.bytes($1.value), $1.key) }?.value ?? []
        }
        ended.formUnion(floods.map(\.descriptor))
        return floods
    }

    private static func bytes(_ floods: [Flood]) -> Int { floods.reduce(0) { $0 + $1.recent } }
}

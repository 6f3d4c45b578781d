// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc

/// The rule that limits the memory of the bus.
///
/// At half of the limit, the bus ends the connections of senders, which frees the memory of their unfinished messages, and
/// of the subscribers with the most subscriptions. At the limit, the bus exits, because the kernel might otherwise end another process for lack of memory.
struct MemoryGuard {
    enum Verdict: Hashable {
        case fine
        /// The bus must end the connections of senders, and of the subscribers with the most subscriptions.
        case dropSenders
        /// The bus must end its process, because the memory limit is reached.
        case exit
    }

    /// The minimum time between two occasions at which the bus ends the connections of senders.
    ///
    /// In this time, libzmq can release the memory of the ended connections.
    static let releaseTimeout = Duration.seconds(5)
    /// The range of the interval between two measurements of the memory.
    static let intervals = Duration.milliseconds(100)...Duration.milliseconds(500)
    /// The assumed maximum growth of the memory, in bytes per second.
    ///
    /// Senders on the same machine reach about half of it.
    static let fastestGrowth = 1 << 30

    private let limit: Int
    private var droppedAt: ContinuousClock.Instant?

    /// Creates a guard with a limit in bytes; 0 means no limit.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func judge(_ bytes: Int, now: ContinuousClock.Instant) -> Verdict {
        guard limit > 0 else { return .fine }
        if bytes >= limit { return .exit }
        guard bytes >= limit / 2 else { return .fine }
        if let droppedAt, now - droppedAt < Self.releaseTimeout { return .fine }
        droppedAt = now
        return .dropSenders
    }

    /// Returns the time until the next measurement if the last one was `bytes`.
    ///
    /// At `fastestGrowth`, the memory does not reach half of the limit earlier, unless the result is the minimum of
    /// `intervals`.
    func interval(after bytes: Int) -> Duration {
        guard limit > 0 else { return Self.intervals.upperBound }
        let room = max(0, limit / 2 - bytes)
        let time = Duration.seconds(1) * (Double(room) / Double(Self.fastestGrowth))
        return min(max(time, Self.intervals.lowerBound), Self.intervals.upperBound)
    }

    /// The resident memory of this process in bytes; 0 if it is unknown.
    static var residentBytes: Int {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return 0 }
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "), maxSplits: 2)
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
            return pages * sysconf(Int32(_SC_PAGESIZE))
        }
    }
}

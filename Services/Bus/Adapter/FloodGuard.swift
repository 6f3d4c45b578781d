// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Glibc
internal import Locking
internal import MessageBus
internal import ServiceRuntime
internal import Synchronization
internal import Telemetry
import WidgetSchema

/// The guard against floods of subscriptions from many connections at once.
///
/// libzmq adds all subscriptions that have arrived before it returns to the forwarding thread, which then counts them and
/// ends connections. While connections send without pause, libzmq does not return. The guard has a thread of its own. It
/// finds such connections by the bytes that the kernel receives for them (`FloodRules`), and ends them.
struct FloodGuard {
    /// The interval between two checks.
    private static let intervalMilliseconds = 20

    private let endpoint: Endpoint
    private var rules: FloodRules

    /// Starts the thread of a guard for the connections of a listening endpoint; it ends with the forwarding thread.
    static func start(_ endpoint: Endpoint, _ forwarding: Forwarding, _ configuration: BusServerConfiguration) {
        let rules = FloodRules(configuration.subscriptionLimits)
        ServiceThread.start(named: "flood-guard") {
            var (floodGuard, warnings) = (FloodGuard(endpoint: endpoint, rules: rules), WarningThrottle())
            var poll = PollSet()
            let endedIndex = poll.add(forwarding.endedFlag)
            while (try? poll.wait(milliseconds: intervalMilliseconds)) != nil, !poll.canRead(endedIndex) {
                let ended = floodGuard.check(forwarding)
                guard !ended.isEmpty else { continue }
                forwarding.counters.withLock { $0.endedSubscribers += Int64(ended.count) }
                for (address, connections) in Dictionary(grouping: ended, by: \.address)
                where warnings.isDue(address, now: .now) {
                    configuration.log.warning(
                        "The bus ended connections that sent too many subscriptions without pause.",
                        [
                            .peer: address, .count: connections.count,
                            .bytes: connections.reduce(0) { $0 + $1.recent },
                        ]
                    )
                }
            }
        }
    }

    private init(endpoint: Endpoint, rules: FloodRules) {
        self.endpoint = endpoint
        self.rules = rules
    }

    /// Ends the connections that flood the bus, if the forwarding thread has not come back from libzmq for too long.
    private mutating func check(_ forwarding: Forwarding) -> [FloodRules.Flood] {
        let endpoint = endpoint
        let floods = rules.floods(
            progress: forwarding.progress.load(ordering: .relaxed),
            processorTime: forwarding.processorTime
        ) {
            forwarding.subscribers.withLock(\.self).filter { Self.isAccepted($0, at: endpoint) }.sorted().map {
                descriptor in
                FloodRules.Connection(
                    descriptor: descriptor,
                    address: Self.peerAddress(descriptor),
                    received: Self.receivedBytes(descriptor),
                    unread: Self.unreadBytes(descriptor)
                )
            }
        }
        // A descriptor may be that of another connection by now.
        let open = floods.filter { Self.isAccepted($0.descriptor, at: endpoint) }
        for flood in open { Self.end(flood.descriptor) }
        return open
    }

    /// Returns true if a descriptor is a socket that is bound to an endpoint.
    private static func isAccepted(_ descriptor: Int32, at endpoint: Endpoint) -> Bool {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let found = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            guard found == 0 else { return false }
            let raw = UnsafeRawPointer(pointer)
            switch (endpoint, Int32(pointer.pointee.ss_family)) {
            case (.tcp(_, let port), AF_INET): return raw.load(as: sockaddr_in.self).sin_port == port.bigEndian
            case (.tcp(_, let port), AF_INET6): return raw.load(as: sockaddr_in6.self).sin6_port == port.bigEndian
            case (.ipc(let path), AF_UNIX):
                let bytes = UnsafeRawBufferPointer(start: raw, count: Int(size))
                    .dropFirst(MemoryLayout<sa_family_t>.size)
                return bytes.prefix { $0 != 0 }.elementsEqual(path.utf8)
            default: return false
            }
        }
    }

    /// Returns the number of bytes that a TCP connection has received; 0 for other sockets.
    private static func receivedBytes(_ descriptor: Int32) -> UInt64 {
        // The place of `tcpi_bytes_received` in `struct tcp_info` (linux/tcp.h), which glibc's struct does not have.
        let offset = 128
        return withUnsafeTemporaryAllocation(byteCount: offset + 8, alignment: 8) { buffer in
            var size = socklen_t(buffer.count)
            guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &size) == 0,
                Int(size) == buffer.count
            else { return 0 }
            return buffer.load(fromByteOffset: offset, as: UInt64.self)
        }
    }

    private static func peerAddress(_ descriptor: Int32) -> String {
        var (storage, host) = (sockaddr_storage(), [CChar](repeating: 0, count: Int(NI_MAXHOST)))
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &size) == 0
                    && getnameinfo(address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        return isKnown ? String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
    }

    /// Returns the number of unread bytes, but at most `FloodRules.minimumBytes`.
    private static func unreadBytes(_ descriptor: Int32) -> Int {
        withUnsafeTemporaryAllocation(byteCount: FloodRules.minimumBytes, alignment: 1) { buffer in
            max(0, recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK | MSG_DONTWAIT)))
        }
    }

    /// Ends a connection, and drops its unread bytes: libzmq would still add their subscriptions.
    private static func end(_ descriptor: Int32) {
        // The peer is told when libzmq closes the descriptor; otherwise it might wait for room in a full window.
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, Int32(SHUT_RDWR))
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            for _ in 0..<16 where recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) <= 0 {
                return
            }
        }
    }
}

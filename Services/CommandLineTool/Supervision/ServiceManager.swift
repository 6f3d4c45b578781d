// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc

/// The connection to the service manager (systemd, `Type=notify`), to which the process reports its state.
///
/// The reports use the protocol of sd_notify(3). If no service manager has started the process, the functions do
/// nothing. All functions must be called on the same thread.
struct ServiceManager {
    /// The environment variables that systemd sets for its processes; children must not inherit them.
    static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

    private let socket: String?
    /// The interval between reports to the watchdog: half of the watchdog's timeout; nil if there is no watchdog.
    let watchdogInterval: Duration?
    private var nextReport: ContinuousClock.Instant?

    init(environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let isWatched = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = isWatched ? environment["WATCHDOG_USEC"].flatMap(Int64.init) : nil
        watchdogInterval = microseconds.flatMap { $0 > 0 ? .microseconds($0 / 2) : nil }
    }

    func ready() { send("READY=1") }
    func stopping() { send("STOPPING=1") }

    /// Reports a reload to the service manager.
    ///
    /// The reload is reported as complete at once, because each service reads its configuration itself.
    func reloaded() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
        send("READY=1")
    }

    /// Reports to the watchdog that this process is alive, if `watchdogInterval` has passed since the last report.
    mutating func reportAlive(at now: ContinuousClock.Instant) {
        guard let watchdogInterval, nextReport.map({ $0 <= now }) ?? true else { return }
        nextReport = now + watchdogInterval
        send("WATCHDOG=1")
    }

    /// The time at which `reportAlive` must be called next; nil if there is no watchdog.
    var nextDeadline: ContinuousClock.Instant? { watchdogInterval == nil ? nil : nextReport ?? .now }

    private func send(_ text: String) {
        guard let socket else { return }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An `@` stands for the zero byte of an abstract socket name.
        var path = Array(socket.utf8)
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Array(text.utf8).withUnsafeBytes {
                    sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, length)
                }
            }
        }
    }
}

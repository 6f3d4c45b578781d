// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A TCP client that sends exactly the given bytes, for clients that violate HTTP.
///
/// Loopback only. Reads block the calling thread for at most `deadline`.
package final class RawClient: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The maximum duration of a read.
    private static let deadline: Duration = .seconds(20)
    private let descriptor: Int32

    /// Connects to a port; a small receive buffer makes the client a slow reader.
    package init(port: Int, receiveBufferBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var bytes = receiveBufferBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let status = withUnsafePointer(to: sockaddr_in.loopback(port)) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            throw Failure(description: "cannot connect to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Sends all bytes; returns false if the peer is gone.
    @discardableResult
    package func send(_ bytes: some Collection<UInt8>) -> Bool { RawSocket(descriptor: descriptor).send(bytes) }
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Reads up to and including a text; the next read continues after it.
    package func read(until ending: String) throws -> String {
        let wanted = Data(ending.utf8)
        var received = Data()
        let end = ContinuousClock.now + Self.deadline
        while !received.hasSuffix(wanted) {
            guard let bytes = try receive(1, until: end) else {
                throw Failure(description: "the peer closed after '\(String(decoding: received, as: UTF8.self))'")
            }
            received += bytes
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads exactly `count` bytes.
    package func read(count: Int) throws -> Data {
        var received = Data()
        let end = ContinuousClock.now + Self.deadline
        while received.count < count {
            guard let bytes = try receive(count - received.count, until: end) else {
                throw Failure(description: "the peer closed after \(received.count) of \(count) bytes")
            }
            received += bytes
        }
        return received
    }

    /// Reads until the peer closes or resets the connection.
    package func readToEnd() throws -> String {
        var received = Data()
        let end = ContinuousClock.now + Self.deadline
        while let bytes = try receive(65_536, until: end) { received += bytes }
        return String(decoding: received, as: UTF8.self)
    }

    /// Waits until there is something to read or the peer has closed; returns false after the timeout.
    package func waitForPeer(milliseconds: Int32) -> Bool {
        RawSocket(descriptor: descriptor).waitForPeer(milliseconds: milliseconds)
    }

    /// Returns nil at the end of the stream.
    private func receive(_ count: Int, until end: ContinuousClock.Instant) throws -> Data? {
        let left = (end - .now) / .milliseconds(1)
        guard left > 0, waitForPeer(milliseconds: Int32(clamping: Int(left))) else {
            throw Failure(description: "the peer sent nothing for too long")
        }
        var buffer = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &buffer, count, 0)
        return received > 0 ? Data(buffer[..<received]) : nil
    }
}

extension Data {
    fileprivate func hasSuffix(_ other: Data) -> Bool { suffix(other.count) == other }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import TestSupport

/// An origin that speaks HTTP/2 over TLS (`nghttpd`), with a certificate that an authority of the test's own signed.
struct HTTP2Origin {
    /// The name in its certificate; no name server knows it.
    static let name = "origin.test"

    let port: Int
    /// The one authority that is to be trusted.
    let certificateFile: String

    /// Runs `body` with an origin that serves `files`, by name.
    static func with<Value>(_ files: [String: String], _ body: (HTTP2Origin) async throws -> Value) async throws
        -> Value
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-h2-\(UUID().uuidString)")
        let served = folder.appending(path: "served")
        try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: served.appending(path: name)) }
        let port = try freePort()
        // The shell ends the server when this process closes the pipe, or dies.
        let script = """
            cd "$1" && exec 2>&1
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) \
              -addext subjectAltName=DNS:\(name) -keyout key.pem -out certificate.pem || exit 1
            nghttpd -v --address=127.0.0.1 -d served \(port) key.pem certificate.pem </dev/null &
            cat >/dev/null
            kill $!
            """
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", folder.path]
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        defer { try? input.fileHandleForWriting.close() }
        guard try await isListening(output.fileHandleForReading, port) else {
            throw DidNotArrive("nghttpd does not listen; Scripts/install-dependencies.sh installs it")
        }
        let certificate = folder.appending(path: "certificate.pem").path
        return try await body(HTTP2Origin(port: port, certificateFile: certificate))
    }

    /// Reads what the server says until it listens; what it says later is read, too, so that it never waits.
    private static func isListening(_ output: FileHandle, _ port: Int) async throws -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var text = ""
                var isWaiting = true
                while case let data = output.availableData, !data.isEmpty {
                    guard isWaiting else { continue }
                    text += String(decoding: data, as: UTF8.self)
                    guard text.contains("listen 127.0.0.1:\(port)") else { continue }
                    isWaiting = false
                    continuation.resume(returning: true)
                }
                if isWaiting { continuation.resume(returning: false) }
            }
        }
    }

    /// Returns a port that is free now: `nghttpd` does not print the port that the system gives it.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard bound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

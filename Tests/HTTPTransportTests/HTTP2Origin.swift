// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// An origin that speaks HTTP/2 over TLS (`nghttpd`), with a certificate that an authority of the test's own signed.
struct HTTP2Origin {
    /// The name in its certificate; no name server knows it.
    static let name = "origin.test"

    let port: Int
    /// The one authority that is to be trusted.
    let certificateFile: String

    /// Runs `body` with an origin that serves `files`, by name.
    static func with<Value>(
        _ files: [String: String],
        _ body: (HTTP2Origin) async throws -> Value
    ) async throws -> Value {
        let port = try freePort()
        let script = """
            exec 2>&1
            nghttpd -v --address=127.0.0.1 -d . \(port) key.pem certificate.pem </dev/null &
            cat >/dev/null
            kill $!
            """
        return try await withProcess(script, files: files) { output, certificate in
            guard try await isListening(output, port) else {
                throw DidNotArrive("nghttpd does not listen; Scripts/install-dependencies.sh installs it")
            }
            return try await body(HTTP2Origin(port: port, certificateFile: certificate))
        }
    }

    /// Runs a shell script in a folder with files, a key and its certificate.
    ///
    /// Meanwhile `body` runs with the script's output and the certificate's file. The script must end when its standard
    /// input does: when `body` returns, or this process dies.
    static func withProcess<Value>(
        _ script: String,
        _ arguments: [String] = [],
        files: [String: String] = [:],
        _ body: (FileHandle, String) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryFolder { folder in
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let certificate = """
                cd "$1" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                  -subj /CN=\(name) -addext subjectAltName=DNS:\(name) -keyout key.pem -out certificate.pem \
                  2>/dev/null || exit 1

                """
            let process = Process()
            let (input, output) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", certificate + script, "sh", folder.path] + arguments
            process.standardInput = input
            process.standardOutput = output
            try process.start()
            defer { try? input.fileHandleForWriting.close() }
            return try await body(output.fileHandleForReading, folder.appending(path: "certificate.pem").path)
        }
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

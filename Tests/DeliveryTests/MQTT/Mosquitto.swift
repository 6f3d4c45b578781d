// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

/// A real broker, `mosquitto`, in a folder of its own, and readers of its topics, `mosquitto_sub`.
final class Mosquitto {
    static let user = "tidings"
    static let password = "canary-password"

    let folder: URL
    let port: Int
    let usesTLS: Bool
    private var process: SpawnedService?
    private var number: Int32 = 0

    /// Creates a broker with a user, and starts it; with TLS, it has a certificate for `localhost`.
    init(in folder: URL, usesTLS: Bool = false) async throws {
        self.folder = folder
        self.usesTLS = usesTLS
        port = try freePort()
        let tls = """
            certfile certificate.pem
            keyfile key.pem

            """
        let configuration = """
            listener \(port) 127.0.0.1
            \(usesTLS ? tls : "")allow_anonymous false
            password_file users
            persistence true
            persistence_location \(folder.path)/
            user root
            log_dest stderr
            log_type all
            connection_messages true

            """
        try Data(configuration.utf8).write(to: folder.appending(path: "mosquitto.conf"))
        let make = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
              -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem 2>/dev/null
            touch users && chmod 600 users && mosquitto_passwd -b users \(Self.user) \(Self.password)
            chmod 644 key.pem
            """
        #expect(try await EndedProgram.run(["sh", "-ec", make], in: folder).status == 0)
        try await start()
    }

    deinit { if number > 0 { kill(number, SIGKILL) } }

    var certificateFile: String { folder.appending(path: "certificate.pem").path }

    func start() async throws {
        // The broker ends with the standard input of the shell, so no test leaves it behind. Signals can be blocked in this
        // process, and a child inherits that.
        let script = """
            PATH="$PATH:/usr/sbin"
            python3 -c '
            import os, signal
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execvp("mosquitto", ["mosquitto", "-c", "mosquitto.conf"])' </dev/null &
            echo "pid $!"
            cat >/dev/null
            kill $! 2>/dev/null
            """
        let process = try SpawnedService("/bin/sh", ["-c", script], in: folder)
        self.process = process
        let line = try #require(try await process.nextLine(), "mosquitto has ended")
        number = try #require(Int32(line.dropFirst(4)))
        _ = try await process.errorLine(containing: " running")
    }

    /// Ends the broker without a chance to write its state, or lets it write its state first.
    func stop(_ signal: Int32) async throws {
        kill(number, signal)
        number = 0
        try process?.closeInput()
        _ = try await process?.exitStatus()
        process = nil
    }

    /// Publishes a message with `mosquitto_pub`.
    func publish(_ topic: String, _ payload: String, isRetained: Bool = false) async throws {
        let options = ["-t", topic, "-m", payload, "-q", "1"] + (isRetained ? ["-r"] : [])
        let ended = try await EndedProgram.run(["mosquitto_pub"] + connection + options)
        #expect(ended.status == 0, "\(ended.errors)")
    }

    /// Starts a reader of a topic; it is subscribed when this returns.
    func reader(_ filter: String) async throws -> MosquittoReader {
        let marker = "reader/\(UUID().uuidString)"
        let format = ["-F", "%r %t %x"]
        let process = try SpawnedService(
            "/usr/bin/mosquitto_sub",
            connection + ["-q", "1", "-t", filter, "-t", marker] + format
        )
        let reader = MosquittoReader(process: process)
        // A retained message on the marker's topic arrives when the subscriptions are active.
        try await publish(marker, "x", isRetained: true)
        try await reader.skip(to: marker)
        return reader
    }

    private var connection: [String] {
        ["-h", usesTLS ? "localhost" : "127.0.0.1", "-p", "\(port)", "-u", Self.user, "-P", Self.password]
            + (usesTLS ? ["--cafile", certificateFile] : [])
    }
}

/// A running `mosquitto_sub`.
struct MosquittoReader {
    struct Message: Hashable {
        var topic: String
        var isRetained: Bool
        var payload: Data

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    /// The messages that arrived before the reader was known to be subscribed.
    private(set) var early = Early()
    let process: SpawnedService

    final class Early {
        var messages: [Message] = []
    }

    init(process: SpawnedService) { self.process = process }

    func next() async throws -> Message {
        if !early.messages.isEmpty { return early.messages.removeFirst() }
        return try await read()
    }

    /// Waits for a message on a topic; messages before it are dropped.
    func next(on topic: String) async throws -> Message {
        while true {
            let message = try await next()
            if message.topic == topic { return message }
        }
    }

    fileprivate func skip(to marker: String) async throws {
        while case let message = try await read(), message.topic != marker { early.messages.append(message) }
    }

    private func read() async throws -> Message {
        let line = try #require(try await process.nextLine(), "\(process.standardError)")
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let digits = Array(parts[2].utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let payload = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return Message(topic: String(parts[1]), isRetained: parts[0] == "1", payload: Data(payload))
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport

/// An origin that offers HTTP/2 over TLS and breaks its rules, while its HTTP/1.1 works.
struct BrokenHTTP2Origin {
    enum Fault: String, CaseIterable, Sendable {
        /// Answers of HTTP/1.1 on a connection that has agreed on HTTP/2.
        case wrongVersion
        /// A frame that is larger than allowed (RFC 9113, section 4.2).
        case largeFrame
        /// The stream of a request is reset with PROTOCOL_ERROR (RFC 9113, section 7).
        case resetStream
        /// The connection ends with GOAWAY and PROTOCOL_ERROR.
        case goAway
    }

    let port: Int
    let certificateFile: String

    static func with<Value>(_ fault: Fault, _ body: String, _ run: (BrokenHTTP2Origin) async throws -> Value)
        async throws -> Value
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tidings-h2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(program.utf8).write(to: folder.appending(path: "origin.py"))
        let script = """
            cd "$1" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
              -subj /CN=\(HTTP2Origin.name) -addext subjectAltName=DNS:\(HTTP2Origin.name) -keyout key.pem \
              -out certificate.pem 2>/dev/null && exec python3 -B origin.py "$2" "$3"
            """
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", folder.path, fault.rawValue, body]
        // The server ends when this process closes the pipe, or dies.
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        defer { try? input.fileHandleForWriting.close() }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw DidNotArrive("the origin in Python does not listen")
        }
        return try await run(
            BrokenHTTP2Origin(port: port, certificateFile: folder.appending(path: "certificate.pem").path)
        )
    }

    private static let program = """
        import os, socket, ssl, struct, sys, threading

        fault, body = sys.argv[1], sys.argv[2].encode()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("certificate.pem", "key.pem")
        context.set_alpn_protocols(["h2", "http/1.1"])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)

        def frame(kind, flags, stream, payload):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

        def exactly(connection, count):
            data = b""
            while len(data) < count:
                piece = connection.recv(count - len(data))
                if not piece:
                    raise OSError("the end")
                data += piece
            return data

        def speak2(connection):
            if fault == "wrongVersion":
                connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nno")
                return connection.recv(65536)
            exactly(connection, 24)
            connection.sendall(frame(4, 0, 0, b""))
            while True:
                head = exactly(connection, 9)
                kind, stream = head[3], struct.unpack(">I", head[5:])[0]
                exactly(connection, int.from_bytes(head[:3], "big"))
                if kind == 1:
                    break
            if fault == "largeFrame":
                connection.sendall(struct.pack(">I", 1 << 20)[1:] + bytes([0, 0]) + struct.pack(">I", stream))
            elif fault == "resetStream":
                connection.sendall(frame(3, 0, stream, struct.pack(">I", 1)))
            else:
                connection.sendall(frame(7, 0, 0, struct.pack(">II", 0, 1)))
                return
            connection.recv(65536)

        def speak1(connection):
            head = b""
            while b"\\r\\n\\r\\n" not in head:
                head += exactly(connection, 1)
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\nConnection: close\\r\\n\\r\\n" % len(body) + body)

        def serve(accepted):
            try:
                with context.wrap_socket(accepted, server_side=True) as connection:
                    (speak2 if connection.selected_alpn_protocol() == "h2" else speak1)(connection)
            except OSError:
                pass

        def listen():
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        threading.Thread(target=listen, daemon=True).start()
        sys.stdin.read()
        """
}

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

    static func with<Value>(
        _ fault: Fault,
        _ body: String,
        _ run: (BrokenHTTP2Origin) async throws -> Value
    ) async throws -> Value {
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/broken-http2-origin.py"
        )
        let arguments = [program.path, fault.rawValue, body]
        return try await HTTP2Origin.withProcess(#"exec python3 -B "$2" "$3" "$4""#, arguments) { output, certificate in
            let line = String(decoding: output.availableData, as: UTF8.self)
            guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw DidNotArrive("the origin in Python does not listen")
            }
            return try await run(BrokenHTTP2Origin(port: port, certificateFile: certificate))
        }
    }
}

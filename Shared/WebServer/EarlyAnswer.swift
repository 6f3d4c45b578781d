// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CMicroHTTPD
import Foundation
import Glibc
import WidgetSchema

/// The response to a request whose body is still to come.
///
/// libmicrohttpd would close the connection without reading the body. The system then resets the connection, and the client
/// may lose the response (RFC 9112, section 9.6). Instead, the server writes the response to the socket, closes the sending
/// direction, and reads and discards the body.
enum EarlyAnswer {
    /// Sends a response and closes the sending direction; returns false if the connection must be closed.
    ///
    /// Must be called on the server's thread, and no other response may be pending on the connection.
    static func send(_ response: WebResponse, to request: WebRequest, socket: Int32) -> Bool {
        guard let bytes = message(response, to: request) else { return false }
        // The buffer of the socket is empty, so it takes a response of this size at once.
        let sent = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        return sent == bytes.count && shutdown(socket, Int32(SHUT_WR)) == 0
    }

    /// Returns the bytes of a response after which the connection closes; nil if a header contains a line break.
    static func message(_ response: WebResponse, to request: WebRequest) -> Data? {
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
        let body = response.body
        let headers =
            response.headers + [
                WebHeader("Date", HTTPDate.text(Int64(Date.now.timeIntervalSince1970))),
                WebHeader("Content-Length", "\(body.count)"), WebHeader("Connection", "close"),
            ]
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        for header in headers {
            guard !(header.name + header.value).utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return nil }
            head += "\(header.name): \(header.value)\r\n"
        }
        return Data((head + "\r\n").utf8) + (request.method == "HEAD" ? Data() : body)
    }
}

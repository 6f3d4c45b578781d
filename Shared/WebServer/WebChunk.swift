// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// A piece of a stream's body, which any number of streams can share.
///
/// The framing of HTTP/1.1's chunked coding (RFC 9112 §7.1) is added once per chunk, and not again for each stream.
package final class WebChunk: Sendable {
    private let framed: SharedBytes
    private let payload: Range<Int>

    /// Creates a chunk.
    ///
    /// `payload` must not be empty, because an empty chunk would end the body.
    package init(_ payload: some DataProtocol) {
        precondition(!payload.isEmpty, "a chunk must not be empty, because an empty chunk ends the body")
        let head = Data("\(String(payload.count, radix: 16))\r\n".utf8)
        var framed = head
        framed.reserveCapacity(head.count + payload.count + 2)
        framed.append(contentsOf: payload)
        framed.append(contentsOf: "\r\n".utf8)
        self.framed = SharedBytes(framed)
        self.payload = head.count..<(head.count + payload.count)
    }

    package convenience init(_ text: String) { self.init(Data(text.utf8)) }

    /// The end of a chunked body.
    static let end = WebChunk(raw: Data("0\r\n\r\n".utf8))

    private init(raw: Data) {
        framed = SharedBytes(raw)
        payload = 0..<0
    }

    /// Returns the bytes to send: the chunk with its framing, or only the payload for HTTP/1.0.
    func wire(chunked: Bool) -> UnsafeRawBufferPointer {
        chunked ? framed.bytes : UnsafeRawBufferPointer(rebasing: framed.bytes[payload])
    }

    /// The size of the payload in bytes.
    package var count: Int { payload.count }
}

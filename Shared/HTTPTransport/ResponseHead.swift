// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The headers of one answer, collected from the lines that libcurl passes one at a time.
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    /// The size of all header lines so far, in bytes.
    ///
    /// Interim answers and trailers are included, because they count towards ``HTTPLimits/maximumHeaderBytes`` too.
    private(set) var receivedBytes = 0
    private var isComplete = false

    /// A Boolean value that indicates whether the answer has different values of `Content-Length`.
    ///
    /// The end of its body is then ambiguous (RFC 9112, section 6.3).
    var hasContradictoryLengths: Bool {
        guard headers["Transfer-Encoding"] == nil else { return false }
        let values = headers.values("Content-Length")
        // Nearly every answer has at most one length.
        guard values.count > 1 || values.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else { return false }
        let lengths = values.flatMap { $0.split(separator: ",") }
        return Set(lengths.map { $0.filter { $0 != " " && $0 != "\t" } }).count > 1
    }

    mutating func receive(line: UnsafeRawBufferPointer) {
        receivedBytes += line.count
        var line = line[...]
        while let last = line.last, last == 0x0d || last == 0x0a { line = line.dropLast() }
        if line.starts(with: Array("HTTP/".utf8)) {
            // A status line begins a new answer. The fields of an interim answer (1xx) are not part of the final one.
            headers = HTTPHeaders()
            isComplete = false
        } else if line.isEmpty {
            isComplete = true
        } else if isComplete {
            // A trailer is ignored, because no field that is used here may follow the body.
        } else if let first = line.first, first == 0x20 || first == 0x09, !headers.fields.isEmpty {
            // A folded line continues the previous value (RFC 9112 §5.2).
            headers.fields[headers.fields.count - 1].value += " " + text(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = text(line[..<colon])
            let value = trimmed(line[(colon + 1)...])
            headers.fields.append(HTTPHeader(name, OpaqueBytes.isOpaque(name) ? OpaqueBytes.text(value) : text(value)))
        }
    }

    /// Returns a header value, decoded as UTF-8 or, if the bytes are not valid UTF-8, as Latin-1.
    ///
    /// Latin-1 was the encoding of header values in the past (RFC 9110 §5.5).
    private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = trimmed(bytes)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    private func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
        return bytes
    }
}

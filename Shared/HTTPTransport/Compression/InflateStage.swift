// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCompression

/// A decoder for gzip (RFC 1952) and deflate, which is zlib's format (RFC 1950) or, by a common mistake, raw deflate
/// data without a header.
final class InflateStage: DecodingStage {
    private static let bufferBytes = 64 * 1024
    /// The base-2 logarithm of the size of zlib's largest window, 32 KiB.
    private static let windowBits: Int32 = 15
    /// The value that is added to `windowBits` to make zlib expect the header of gzip.
    private static let gzipHeader: Int32 = 16

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let isGzip: Bool
    private var isOpen = false
    private var output = [UInt8](repeating: 0, count: bufferBytes)
    /// The first byte of a possible further member of gzip data; empty if the last piece did not end with it.
    private var head: [UInt8] = []
    /// A Boolean value that indicates whether no further member follows; all further bytes are ignored.
    private var hasEnded = false
    private(set) var isFinished = false

    init(isGzip: Bool) throws(DecodingProblem) {
        self.isGzip = isGzip
        stream.initialize(to: z_stream())
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard !bytes.isEmpty, !hasEnded else { return true }
        guard isFinished else { return try inflateMembers(bytes, output) }
        let piece = head + bytes
        guard beginMember(piece) else { return true }
        return try piece.withUnsafeBufferPointer { piece throws(DecodingProblem) in
            try inflateMembers(UnsafeRawBufferPointer(piece), output)
        }
    }

    private func inflateMembers(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        if !isOpen { try open(firstByte: bytes[0]) }
        // zlib does not write to its input, although the type allows it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            let (code, written) = self.output.withUnsafeMutableBytes { buffer in
                stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(buffer.count)
                let code = inflate(stream, Z_NO_FLUSH)
                return (code, buffer.count - Int(stream.pointee.avail_out))
            }
            if written > 0 {
                let goesOn = self.output.withUnsafeBytes { output(UnsafeRawBufferPointer(rebasing: $0[..<written])) }
                guard goesOn else { return false }
            }
            switch code {
            case Z_OK:
                if stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return true }
            case Z_BUF_ERROR:
                return true
            case Z_STREAM_END:
                let left = Int(stream.pointee.avail_in)
                guard beginMember(bytes[(bytes.count - left)...]) else { return true }
            default:
                let name = isGzip ? "gzip" : "deflate"
                throw DecodingProblem("the body is not valid \(name) (zlib error \(code))")
            }
        }
    }

    /// Returns whether the bytes after the end of the data begin another member (RFC 1952, section 2.2).
    ///
    /// If there are too few bytes to tell, they are stored in `head`.
    private func beginMember(_ bytes: some Collection<UInt8>) -> Bool {
        let isUndecided = isGzip && (bytes.isEmpty || bytes.count == 1 && bytes.first == 0x1f)
        head = isUndecided ? Array(bytes) : []
        let isMember = isGzip && bytes.starts(with: [0x1f, 0x8b]) && inflateReset(stream) == Z_OK
        isFinished = !isMember
        hasEnded = !isMember && !isUndecided
        return isMember
    }

    private func open(firstByte: UInt8) throws(DecodingProblem) {
        // In a zlib header, the low four bits of the first byte are 8, the method. No valid raw deflate block begins
        // with them.
        let hasZlibHeader = firstByte & 0x0f == 8
        let bits = isGzip ? Self.windowBits + Self.gzipHeader : hasZlibHeader ? Self.windowBits : -Self.windowBits
        guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw DecodingProblem("zlib is out of memory")
        }
        isOpen = true
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCompression

/// A decoder for Zstandard (RFC 8878), with windows of up to 8 MiB, the maximum for a content coding (RFC 9659).
///
/// The data may consist of several frames, some of them skippable.
final class ZstandardStage: DecodingStage {
    private static let bufferBytes = 64 * 1024
    private static let maximumWindowLog: Int32 = 23
    private static let magicBytes = 4

    private let stream: OpaquePointer
    private var output = [UInt8](repeating: 0, count: bufferBytes)
    /// The bytes after the end of a frame, as long as there are too few of them to tell whether another frame follows.
    private var head: [UInt8] = []
    /// A Boolean value that indicates whether no further frame follows; all further bytes are ignored.
    private var hasEnded = false
    private(set) var isFinished = false

    init() throws(DecodingProblem) {
        guard let stream = ZSTD_createDStream() else {
            throw DecodingProblem("Zstandard is out of memory")
        }
        self.stream = stream
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.maximumWindowLog)
    }

    deinit {
        ZSTD_freeDStream(stream)
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard !bytes.isEmpty, !hasEnded else { return true }
        guard isFinished else { return try decodeFrames(bytes, output) }
        let piece = head + bytes
        return try piece.withUnsafeBufferPointer { piece throws(DecodingProblem) in
            try decodeFrames(UnsafeRawBufferPointer(piece), output)
        }
    }

    private func decodeFrames(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
            if isFinished {
                guard beginFrame(UnsafeRawBufferPointer(rebasing: bytes[input.pos...])) else { return true }
            }
            let (result, written) = self.output.withUnsafeMutableBytes { buffer in
                var target = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                let result = ZSTD_decompressStream(stream, &target, &input)
                return (result, target.pos)
            }
            if written > 0 {
                let goesOn = self.output.withUnsafeBytes { output(UnsafeRawBufferPointer(rebasing: $0[..<written])) }
                guard goesOn else { return false }
            }
            guard ZSTD_isError(result) == 0 else { throw DecodingProblem("the body is not valid Zstandard") }
            if result == 0 {
                isFinished = true
                continue
            }
            if input.pos == input.size, written < Self.bufferBytes { return true }
        }
    }

    /// Returns whether the bytes after the end of a frame begin another one (RFC 8878, section 3.1).
    ///
    /// If there are too few bytes to tell, they are stored in `head`.
    private func beginFrame(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= Self.magicBytes else {
            head = Array(bytes)
            return false
        }
        head = []
        let isSkippable = (0x50...0x5f).contains(bytes[0]) && bytes.dropFirst().starts(with: [0x2a, 0x4d, 0x18])
        let isFrame = isSkippable || bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
        isFinished = !isFrame
        hasEnded = !isFrame
        return isFrame
    }
}

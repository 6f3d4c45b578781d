// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCompression

/// A decoder for Zstandard (RFC 8878), with windows of up to 8 MiB, the maximum for a content coding (RFC 9659).
final class ZstandardStage: DecodingStage {
    private static let bufferBytes = 64 * 1024
    private static let maximumWindowLog: Int32 = 23

    private let stream: OpaquePointer
    private var output = [UInt8](repeating: 0, count: bufferBytes)
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
        guard !bytes.isEmpty, !isFinished else { return true }
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
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
                return true
            }
            if input.pos == input.size, written < Self.bufferBytes { return true }
        }
    }
}

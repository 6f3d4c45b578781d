// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CCompression

/// A decoder for Brotli (RFC 7932), with windows of up to 16 MiB.
final class BrotliStage: DecodingStage {
    private static let bufferBytes = 64 * 1024

    private let state: OpaquePointer
    private var output = [UInt8](repeating: 0, count: bufferBytes)
    private(set) var isFinished = false

    init() throws(DecodingProblem) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw DecodingProblem("Brotli is out of memory")
        }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard !isFinished else { return true }
        var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var left = bytes.count
        while true {
            let (result, written) = self.output.withUnsafeMutableBytes { buffer in
                var end = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var room = buffer.count
                let result = BrotliDecoderDecompressStream(state, &left, &next, &room, &end, nil)
                return (result, buffer.count - room)
            }
            if written > 0 {
                let goesOn = self.output.withUnsafeBytes { output(UnsafeRawBufferPointer(rebasing: $0[..<written])) }
                guard goesOn else { return false }
            }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS:
                isFinished = true
                return true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            default: throw DecodingProblem("the body is not valid Brotli")
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A decoder for one content coding that looks at the first bytes before it trusts the name of the coding.
///
/// Some servers name gzip for bytes that are not compressed, and some compress a body without naming the coding.
final class SniffedStage {
    /// The name of a content coding (RFC 9110, section 8.4.1).
    enum Coding {
        case gzip
        case deflate
        case brotli
        case zstandard

        /// Returns nil if the name is unknown.
        init?(_ name: String) {
            switch name {
            case "gzip", "x-gzip": self = .gzip
            case "deflate": self = .deflate
            case "br": self = .brotli
            case "zstd": self = .zstandard
            default: return nil
            }
        }
    }

    /// The number of bytes that determine the coding.
    private static let sniffedBytes = 2

    /// The named coding; nil if no header names one.
    private let coding: Coding?
    /// The first bytes, as long as there are too few of them.
    private var head: [UInt8] = []
    private var isDecided = false
    private var stage: (any DecodingStage)?

    init(_ coding: Coding?) { self.coding = coding }

    /// A Boolean value that indicates whether the bytes are known to be compressed.
    var isCompressed: Bool { stage != nil }

    /// Decodes a piece; see ``DecodingStage``.
    ///
    /// `bytes` is nil at the end of the data. Throws if the data ends too early.
    func decode(
        _ bytes: UnsafeRawBufferPointer?,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard let bytes else { return try finish(output) }
        if isDecided { return try pass(bytes, output) }
        head += bytes
        return head.count < Self.sniffedBytes ? true : try decide(output)
    }

    private func finish(_ output: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) -> Bool {
        if !isDecided, !head.isEmpty {
            guard try decide(output) else { return false }
        }
        guard stage?.isFinished ?? true else {
            throw DecodingProblem("the compressed body is truncated, although the transfer ended without an error")
        }
        return true
    }

    /// Chooses the decoder by the first bytes, and decodes them.
    private func decide(_ output: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) -> Bool {
        isDecided = true
        // The first bytes of gzip (RFC 1952) and of a frame of Zstandard (RFC 8878), which is possibly skippable.
        let isGzip = head.starts(with: [0x1f, 0x8b])
        let isZstandard =
            head.starts(with: [0x28, 0xb5]) || (0x50...0x5f).contains(head[0]) && head.dropFirst().first == 0x2a
        switch (coding, isGzip) {
        case (.gzip, true), (.deflate, true), (nil, true): stage = try InflateStage(isGzip: true)
        case (.deflate, false): stage = try InflateStage(isGzip: false)
        case (.brotli, _): stage = try BrotliStage()
        case (.zstandard, _): stage = isZstandard ? try ZstandardStage() : nil
        case (.gzip, false), (nil, false): stage = nil
        }
        let first = head
        head = []
        return try first.withUnsafeBufferPointer { bytes throws(DecodingProblem) in
            try pass(UnsafeRawBufferPointer(bytes), output)
        }
    }

    private func pass(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        try stage?.decode(bytes, output) ?? output(bytes)
    }
}

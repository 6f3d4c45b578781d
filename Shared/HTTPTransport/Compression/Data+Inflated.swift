// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation

/// The reason why a compressed document cannot be inflated, as a sentence.
package struct InflationFailure: Error, Hashable, Sendable {
    package var message: String
}

extension Data {
    /// Returns the bytes of a document: inflated if they are compressed with gzip, and otherwise unchanged.
    ///
    /// The limits are those of a body that is received. Throws if the compressed data is invalid or truncated, or if the
    /// document has more than `maximumBytes` bytes.
    package func inflated(maximumBytes: Int) throws(InflationFailure) -> Data {
        guard starts(with: [0x1f, 0x8b]) else { return self }
        var document = Data()
        var exceeded: String?
        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let size = document.count + bytes.count
            if size > maximumBytes { exceeded = "the document is larger than \(maximumBytes) bytes" }
            let ratio = HTTPLimits.defaultMaximumRatio
            if size > HTTPLimits.ratioExemptBytes, size > count * ratio {
                exceeded = "the document is more than \(ratio) times as large as its compressed form"
            }
            guard exceeded == nil else { return false }
            document.append(contentsOf: bytes)
            return true
        }
        do throws(DecodingProblem) {
            let decoder = try ContentDecoder([])
            for piece in pieces {
                let isAccepted = try piece.withUnsafeBufferPointer { bytes throws(DecodingProblem) in
                    try decoder.decode(UnsafeRawBufferPointer(bytes), append)
                }
                guard isAccepted else { break }
            }
            if exceeded == nil { _ = try decoder.finish(append) }
        } catch {
            throw InflationFailure(message: error.message)
        }
        if let exceeded { throw InflationFailure(message: exceeded) }
        return document
    }
}

extension Data {
    /// The bytes in pieces whose size zlib can count.
    private var pieces: some Sequence<[UInt8]> {
        stride(from: startIndex, to: endIndex, by: 1 << 20).lazy.map { [UInt8](self[$0...].prefix(1 << 20)) }
    }
}

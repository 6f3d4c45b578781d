// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A decoder that reverses all content codings of one body, piece by piece (RFC 9110, section 8.4).
///
/// libcurl can decode bodies too, but does not report whether a compressed body was complete: a truncated gzip body
/// would become a truncated document.
final class ContentDecoder {
    /// The value of `Accept-Encoding` in requests.
    static let acceptEncoding = "gzip, deflate, br, zstd"
    /// The maximum number of content codings of one body, as a protection against decompression bombs.
    static let maximumCodings = 4

    private var stages: [any DecodingStage]

    /// Creates a decoder for the values of all `Content-Encoding` headers; returns nil if no value names a known
    /// coding.
    ///
    /// Unknown codings are ignored, as in browsers, because some servers send a charset in this header. Throws if there
    /// are more than ``maximumCodings`` known codings.
    init?(_ values: [String]) throws(DecodingProblem) {
        let names = values.flatMap { $0.split(separator: ",") }.map { name in
            name.lowercased().filter { !$0.isWhitespace }
        }
        stages = []
        // The coding that was applied last is removed first.
        for name in names.reversed() {
            switch name {
            case "gzip", "x-gzip": stages.append(try InflateStage(isGzip: true))
            case "deflate": stages.append(try InflateStage(isGzip: false))
            case "br": stages.append(try BrotliStage())
            case "zstd": stages.append(try ZstandardStage())
            default: continue
            }
        }
        guard !stages.isEmpty else { return nil }
        guard stages.count <= Self.maximumCodings else {
            throw DecodingProblem("the body has more than \(Self.maximumCodings) content codings")
        }
    }

    /// A Boolean value that indicates whether the data of each coding is complete.
    var isFinished: Bool { stages.allSatisfy(\.isFinished) }

    /// Decodes a piece of the body, and calls `output` with the decoded bytes.
    ///
    /// If `output` returns false, the decoding stops, and this function returns false too.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        try decode(bytes, from: 0, output)
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        guard index < stages.count else { return output(bytes) }
        var problem: DecodingProblem?
        let goesOn = try stages[index].decode(bytes) { piece in
            do throws(DecodingProblem) {
                return try decode(piece, from: index + 1, output)
            } catch {
                problem = error
                return false
            }
        }
        if let problem { throw problem }
        return goesOn
    }
}

/// A decoder for one content coding of a body.
protocol DecodingStage: AnyObject {
    /// A Boolean value that indicates whether the coding has reached the end of its data.
    ///
    /// Bytes after this end are ignored, as in browsers.
    var isFinished: Bool { get }
    /// Decodes a piece of the body, and calls `output` with the decoded bytes.
    ///
    /// If `output` returns false, the decoding stops, and this function returns false too.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool
}

/// The reason why a body cannot be decoded, as a sentence.
struct DecodingProblem: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

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

    /// The codings of the body, the last one applied first, and at the end a stage for a coding that no header names.
    private var stages: [SniffedStage]

    /// Creates a decoder for the values of all `Content-Encoding` headers.
    ///
    /// Unknown codings are ignored, as in browsers, because some servers send a charset in this header. Throws if there
    /// are more than ``maximumCodings`` known codings.
    init(_ values: [String]) throws(DecodingProblem) {
        let names = values.flatMap { $0.split(separator: ",") }.map { name in
            name.lowercased().filter { !$0.isWhitespace }
        }
        // The coding that was applied last is removed first.
        let codings = names.reversed().compactMap(SniffedStage.Coding.init)
        guard codings.count <= Self.maximumCodings else { throw Self.tooManyCodings }
        stages = codings.map { SniffedStage($0) } + [SniffedStage(nil)]
    }

    private static let tooManyCodings = DecodingProblem("the body has more than \(maximumCodings) content codings")

    /// Decodes a piece of the body, and calls `output` with the decoded bytes.
    ///
    /// If `output` returns false, the decoding stops, and this function returns false too.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        try decode(bytes, from: 0, output)
    }

    /// Decodes the last bytes of the body; must be called when the body is complete.
    ///
    /// Throws if the data of a coding is not complete. If `output` returns false, this function returns false too.
    func finish(_ output: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem) -> Bool {
        var index = 0
        while index < stages.count {
            guard try decode(nil, from: index, output) else { return false }
            index += 1
        }
        return true
    }

    /// Decodes a piece with the stages from `index` on; nil ends the data of the stage at `index`.
    private func decode(
        _ bytes: UnsafeRawBufferPointer?,
        from index: Int,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool {
        var problem: DecodingProblem?
        let goesOn = try stages[index].decode(bytes) { piece in
            do throws(DecodingProblem) {
                return try hasStage(after: index) ? try decode(piece, from: index + 1, output) : output(piece)
            } catch {
                problem = error
                return false
            }
        }
        if let problem { throw problem }
        return goesOn
    }

    /// Returns whether the output of a stage is the input of another one.
    ///
    /// If the stage at the end has found a coding, its output may be compressed again, so a stage is added.
    private func hasStage(after index: Int) throws(DecodingProblem) -> Bool {
        if index + 1 < stages.count { return true }
        guard stages[index].isCompressed else { return false }
        guard index < Self.maximumCodings else { throw Self.tooManyCodings }
        stages.append(SniffedStage(nil))
        return true
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

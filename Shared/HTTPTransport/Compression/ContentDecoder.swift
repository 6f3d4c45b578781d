// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Undoes the content codings of one body, piece by piece (RFC 9110, section 8.4).
///
/// libcurl can do that, too, but does not say whether a compressed body came to its own end: a gzip body that is cut in
/// half would be half of a document.
final class ContentDecoder {
    /// The value of `Accept-Encoding` in requests.
    static let acceptEncoding = "gzip, deflate, br, zstd"
    /// More codings on top of each other are a bomb.
    static let maximumCodings = 4

    private var stages: [any DecodingStage]

    /// Reads the values of `Content-Encoding`; nil if they name no coding that is known.
    ///
    /// An unknown coding counts as none, as in browsers, because servers write charsets there.
    init?(_ values: [String]) throws(DecodingProblem) {
        let names = values.flatMap { $0.split(separator: ",") }.map { name in
            name.lowercased().filter { !$0.isWhitespace }
        }
        stages = []
        // The coding that was applied last comes off first.
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

    /// Returns a Boolean value that indicates whether each coding came to its own end.
    var isFinished: Bool { stages.allSatisfy(\.isFinished) }

    /// Decodes a piece and gives what comes of it to `output`, which returns false to stop.
    ///
    /// Returns false if `output` did.
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

/// One content coding of a body.
protocol DecodingStage: AnyObject {
    /// A Boolean value that indicates whether the coding came to its own end; what follows is ignored, as in browsers.
    var isFinished: Bool { get }
    /// Decodes a piece and gives what comes of it to `output`, which returns false to stop; then this does, too.
    func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ output: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodingProblem) -> Bool
}

/// Why a body cannot be decoded: a sentence.
struct DecodingProblem: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

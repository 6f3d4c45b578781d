// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The reason why the server refuses a request by itself.
package enum WebRefusal: Sendable, Hashable {
    /// The first line or the headers are not valid, or the end of the body is not clear; the text says why.
    case malformed(String)
    case tooManyParameters
    case unsupportedCoding
    /// The body is larger than the maximum, in bytes; 0 if the request needs no body.
    case bodyTooLarge(maximum: Int)
    /// The client sends too many bodies at once.
    case tooManyBodiesOfClient
    /// All clients together send too many bodies at once.
    case tooManyBodies
    case stopping

    package var status: Int {
        switch self {
        case .malformed: 400
        case .bodyTooLarge: 413
        case .tooManyParameters: 414
        case .tooManyBodiesOfClient: 429
        case .unsupportedCoding: 501
        case .tooManyBodies, .stopping: 503
        }
    }

    package var detail: String {
        switch self {
        case .malformed(let detail): detail
        case .bodyTooLarge(0): "This request needs no body."
        case .bodyTooLarge(let maximum): "At most \(maximum) bytes are accepted."
        case .tooManyParameters: "The query has more than \(RequestFraming.maximumParameters) parameters."
        case .tooManyBodiesOfClient, .tooManyBodies: "Too many bodies are being sent; repeat the request in a second."
        case .unsupportedCoding: "The only Transfer-Encoding of a request is 'chunked'."
        case .stopping: "The server stops; repeat the request in a second."
        }
    }

    /// The headers that the response needs.
    package var headers: [WebHeader] {
        if closesConnection { return [WebHeader("Connection", "close")] }
        if case .bodyTooLarge = self { return [] }
        return [WebHeader("Retry-After", "1")]
    }

    /// A Boolean value that indicates whether the connection closes, because the start of the next request is not clear.
    var closesConnection: Bool {
        switch self {
        case .malformed, .tooManyParameters, .unsupportedCoding: true
        case .bodyTooLarge, .tooManyBodiesOfClient, .tooManyBodies, .stopping: false
        }
    }

    /// The response with the reason as plain text.
    package var plainText: WebResponse { WebResponse(status: status, headers: headers, text: detail + "\n") }
}

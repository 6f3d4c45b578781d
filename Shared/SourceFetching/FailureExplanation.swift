// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import HTTPTransport
import OriginRules
import WidgetSchema

/// The explanation of a failed attempt for people who do not know the source: one sentence about the server.
struct FailureExplanation {
    /// The error codes of libcurl for a server that accepts no connection, and for a certificate that is not valid.
    private static let couldNotConnect = 7
    private static let proxyNotResolved = 5
    private static let invalidCertificate = 60

    /// The host that answered or should have answered, if the source redirects to another host.
    private let redirectHost: String?
    private let host: String

    /// Creates the explanation for an attempt whose last request went to `finalURL`.
    init(source: String, finalURL: String) {
        host = OriginHost.name(of: finalURL)
        redirectHost = host.isEmpty || host == OriginHost.name(of: source) ? nil : host
    }

    /// The subject of a sentence.
    private var server: String { redirectHost.map { "\($0), to which the source redirects," } ?? "The server" }

    private var serversAnswer: String {
        redirectHost.map { "The answer of \($0), to which the source redirects," } ?? "The server's answer"
    }

    /// Returns the explanation of an answer that is a failure of the given class.
    func text(of response: HTTPResponse, _ failureClass: AttemptFailure.Class, kind: WidgetKind) -> String {
        let status = response.status
        let isRateLimited = failureClass == .rateLimited
        switch status {
        case 200...299 where isRateLimited: return "\(server) asks for fewer requests."
        case 200...299 where response.documentProblem == nil:
            let subject = response.isPage ? "\(serversAnswer) is a web page, and" : serversAnswer
            return AttemptFailure.unreadable(subject, as: kind)
        case 304: return "\(server) says that nothing changed, but nothing was loaded before (304)."
        case 200...299: return "\(server) sent an answer without usable content (\(status))."
        case 300...399: return "\(server) redirects without a usable address (\(status))."
        default: return "\(server) \(Self.clause(of: status, isRateLimited: isRateLimited)) (\(status))."
        }
    }

    private static func clause(of status: Int, isRateLimited: Bool) -> String {
        switch status {
        case 401: "requires a valid sign-in"
        case 402: "requires a payment"
        case 403 where isRateLimited: "allows no more requests for now"
        case 403: "does not allow access to this page"
        case 404: "says this page does not exist"
        case 407: "is behind a proxy that requires a sign-in"
        case 408: "did not receive the request in time"
        case 410: "says this page is permanently gone"
        case 429: "asks for fewer requests"
        case 451: "may not show this page for legal reasons"
        case 400...499: "rejects the request"
        case 500: "has an internal error"
        case 503 where isRateLimited: "is busy and asks to wait"
        case 502, 503, 504: "is not available now"
        default: "reports a problem"
        }
    }

    /// Returns the explanation of a request that got no usable answer.
    func text(of failure: HTTPFailure) -> String {
        switch failure.kind {
        case .cancelled: return "The request was interrupted."
        case .timedOut: return "\(server) did not answer in time."
        case .connectionFailed:
            if failure.curlCode == Self.couldNotConnect { return "\(server) cannot be reached." }
            return "The connection to \(host.isEmpty ? "the server" : host) broke."
        case .nameNotResolved:
            if failure.curlCode == Self.proxyNotResolved { return "The proxy cannot be found." }
            return "No server can be found under the name \(host)."
        case .tls:
            if failure.curlCode == Self.invalidCertificate { return "\(server) has no valid certificate." }
            return "No secure connection to \(host) is possible."
        case .refusedAddress: return "\(server) is in a network that the configuration does not allow."
        case .refusedScheme: return "The address is not one of http or https."
        case .tooManyRedirects: return "\(server) redirects too often."
        case .bodyTooLarge, .bodyTooDense, .headersTooLarge: return "\(serversAnswer) is too large."
        case .badContentCoding: return "\(serversAnswer) cannot be decompressed."
        case .tooSlow: return "\(server) sends too slowly."
        case .badURL: return "The address is not valid."
        case .protocolError: return "\(serversAnswer) is not valid HTTP."
        }
    }

    /// Returns the explanation of a file that cannot be read; `message` is a clause about it.
    static func text(ofFile message: String) -> String {
        message.prefix(1).uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}

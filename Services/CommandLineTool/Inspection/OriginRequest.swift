// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Locking
import ServiceRuntime
import SourceFetching
import SourceParsing

/// Blocking requests to origins, with the same headers as those of a fetcher.
enum OriginRequest {
    static var client: HTTPClientConfiguration {
        HTTPClientConfiguration(userAgent: "Tidings/\(TidingsVersion.current)")
    }

    /// Returns whether an argument is an HTTP or HTTPS URL; any other argument is the path of a file.
    static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    static func request(
        _ url: String,
        headers: [HTTPHeader] = [],
        allowPrivateNetworks: Bool
    ) -> HTTPRequest {
        let hasAccept = headers.contains { $0.name.lowercased() == "accept" }
        return HTTPRequest(
            url: url,
            headers: (hasAccept ? [] : [HTTPHeader("Accept", SourceParser.accept)]) + headers,
            allowPrivateNetworks: allowPrivateNetworks
        )
    }

    /// Requests a URL, and blocks the calling thread until the origin has answered or the request has failed.
    static func answer(_ url: String) -> Result<HTTPResponse, HTTPFailure> {
        // Private networks are allowed: a user who can run this command can reach them from this machine anyway.
        let request = request(url, allowPrivateNetworks: true)
        let answer: Result<HTTPResponse, HTTPFailure>? = withHTTPClient(configuration: client) { http in
            let answered = Lock<Result<HTTPResponse, HTTPFailure>?>(nil)
            let semaphore = DispatchSemaphore(value: 0)
            http.start(request) { result in
                answered.withLock { $0 = result }
                semaphore.signal()
            }
            semaphore.wait()
            return answered.withLock { $0 }
        }
        let ended = "the transfer ended without an answer"
        return answer ?? .failure(HTTPFailure(kind: .protocolError, url: url, message: ended))
    }

    /// Requests a document, and blocks the calling thread until the document has arrived or the request has failed.
    static func document(_ url: String) throws(CommandFailure) -> Document {
        switch answer(url) {
        case .success(let response):
            if let problem = response.documentProblem {
                throw CommandFailure(.no, "\(url): the origin \(problem)")
            }
            return Document(
                bytes: response.body,
                name: response.finalURL,
                base: response.finalURL,
                contentType: response.headers["Content-Type"]
            )
        case .failure(let failure): throw CommandFailure(failure.status, "\(failure.url): \(failure.message)")
        }
    }
}

extension HTTPFailure {
    /// The exit status of a command that ends with this HTTP failure.
    ///
    /// - `wrongUse`: the URL is invalid, or its scheme is not supported.
    /// - `unreachable`: the connection failed, or the transfer was cancelled, timed out or was too slow.
    /// - `no`: the origin's address, its redirects or its answer were rejected.
    var status: CommandStatus {
        switch kind {
        case .badURL, .refusedScheme: .wrongUse
        case .cancelled, .timedOut, .connectionFailed, .nameNotResolved, .tls, .tooSlow: .unreachable
        case .refusedAddress, .tooManyRedirects, .bodyTooLarge, .bodyTooDense, .headersTooLarge,
            .badContentCoding, .protocolError:
            .no
        }
    }
}

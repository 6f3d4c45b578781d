// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
package import HTTPTransport
import OriginRules
package import SourceParsing
package import WidgetSchema

extension HTTPResponse {
    /// The reason why the answer contains no whole document; nil if its body is one.
    ///
    /// Every status from 200 to 299 is a success, except for those without a body (204, 205) and for a part of a
    /// document (206). The reason continues a sentence that begins with the URL, such as "answered 404".
    package var documentProblem: String? {
        switch status {
        case 204, 205: "answered \(status), without a document"
        case 206 where !isWholeRange:
            "answered 206 with a part of the document (Content-Range: \(headers["Content-Range"] ?? "none"))"
        case 200...299: nil
        default: "answered \(status)"
        }
    }

    /// A Boolean value that indicates whether the range in an answer with the status 206 is the whole document (RFC
    /// 9110, section 14.4).
    private var isWholeRange: Bool {
        guard let range = headers["Content-Range"]?.trimmingCharacters(in: .whitespaces).lowercased(),
            range.hasPrefix("bytes ")
        else { return false }
        let numbers = range.dropFirst("bytes ".count).split(whereSeparator: { "-/ ".contains($0) }).map { Int($0) }
        guard numbers.count == 3, numbers[0] == 0, let last = numbers[1], let length = numbers[2], last < .max else {
            return false
        }
        return last + 1 == length
    }

    /// Returns the document for a parser; `received` is the time of the answer.
    package func sourceBody(received: Instant) -> SourceBody {
        SourceBody(body, contentType: headers["Content-Type"], documentURL: finalURL, received: received)
    }

    /// A Boolean value that indicates whether the document is a web page, and not a feed that is served as one.
    var isPage: Bool {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        let isServedAsPage = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
        let format = DocumentDescription(body, contentType: headers["Content-Type"]).format
        return format == "HTML" || isServedAsPage && !Self.formatsOfFeeds.contains(format)
    }

    private static let formatsOfFeeds: Set<String> = ["RSS", "RSS 1.0 (RDF)", "Atom", "JSON"]

    /// The address of the first feed that a web page announces; nil if the answer is not a page, or announces none.
    package var announcedFeed: String? {
        guard documentProblem == nil, isPage else { return nil }
        return FeedLinks.find(in: body, documentURL: finalURL).first
    }

    /// A Boolean value that indicates whether a temporary redirect has led to another host, at once or by further
    /// redirects.
    ///
    /// The answer may come from the login page of a network or of a site, so its announcements do not count.
    package var isFromElsewhere: Bool {
        let hops = hops.drop { $0.isPermanent }
        guard let host = hops.first.map({ OriginHost.name(of: $0.from) }) else { return false }
        return hops.contains { OriginHost.name(of: $0.to) != host }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import HTTPTransport
import SourceParsing
package import WidgetSchema

/// The result of the attempts to read an origin's answer as content for one or more kinds of widgets.
///
/// It contains one reading for each kind that can show the answer.
package struct SourceInspection: Sendable {
    /// The readings of the document, the most specific kind first; empty if no kind can read the document.
    package var readings: [InspectAnswer.Reading]
    /// The reason why no kind can read the answer; nil if there are readings.
    package var problem: String?

    /// Reads an answer as `kind`; if `kind` is nil, reads it as each kind that the format of the answer allows.
    ///
    /// `received` is the time at which the answer was received.
    package init(_ response: HTTPResponse, kind: WidgetKind? = nil, received: Instant) {
        readings = []
        if let problem = response.documentProblem {
            self.problem = "the origin \(problem)"
            return
        }
        let body = response.sourceBody(received: received)
        let facts = DocumentDescription(body.bytes, contentType: body.contentType)
        let isJSON = facts.format == "JSON"
        // Only JSON can be read as several kinds. A page or an XML document can only be a feed.
        let kinds: [WidgetKind] = isJSON ? [.feed, .forecast, .quote, .documents, .json, .keyValue] : [.feed]
        var problems: [WidgetKind: String] = [:]
        for candidate in kind.map({ [$0] }) ?? kinds {
            var parsing = Parsing(kind: candidate)
            if candidate == .json { parsing = .json(SourceParser.suggestedRows(body)) }
            do throws(ParsingError) {
                let content = try SourceParser.parse(body, parsing: parsing)
                guard !content.isEmpty else { continue }
                readings.append(InspectAnswer.Reading(parsing: parsing, content: content, title: content.feedTitle))
            } catch {
                problems[candidate] = error.message
            }
        }
        guard readings.isEmpty else { return }
        let asked = kind ?? (isJSON ? .keyValue : .feed)
        problem = problems[asked] ?? "the document contains nothing that a widget could show (\(facts.format))"
    }
}

extension Content {
    fileprivate var feedTitle: String? {
        if case .feed(let feed) = self { feed.title } else { nil }
    }
}

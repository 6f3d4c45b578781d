// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import SourceFetching
import SourceParsing
import WidgetSchema

/// A document to read in a ``ReaderProcess``: everything but its bytes.
struct ReadingTask: Codable, Sendable {
    enum Purpose: Codable, Sendable {
        /// Read an origin's answer as `kind`; if it is nil, as each kind that the format allows.
        case inspection(kind: WidgetKind?, status: Int, headers: [Header], url: String)
        case push(contentType: String?, Parsing)
    }

    struct Header: Codable, Sendable {
        var name: String
        var value: String
    }

    /// The maximum size of the readings of an inspection, in bytes; the rest of a page is for what is around them.
    private static let maximumReadings = MessageLimits.page - 1024

    var purpose: Purpose
    var received: Instant

    /// Creates the task of reading an origin's answer.
    init(inspecting response: HTTPResponse, as kind: WidgetKind?, received: Instant) {
        purpose = .inspection(
            kind: kind,
            status: response.status,
            headers: response.headers.fields.map { Header(name: $0.name, value: $0.value) },
            url: response.finalURL
        )
        self.received = received
    }

    /// Creates the task of reading a pushed document.
    init(_ request: ReadRequest, received: Instant) {
        purpose = .push(contentType: request.contentType, request.parsing)
        self.received = received
    }

    /// The URL of the origin's answer; empty for a pushed document.
    var url: String {
        if case .inspection(_, _, _, let url) = purpose { url } else { "" }
    }

    /// Reads the document, and returns the JSON of an `Answer`.
    func answer(for document: Data) throws(WireError) -> Data {
        switch purpose {
        case .inspection(let kind, let status, let headers, let url):
            let response = HTTPResponse(
                status: status,
                headers: HTTPHeaders(headers.map { HTTPHeader($0.name, $0.value) }),
                body: document,
                finalURL: url
            )
            return try WireJSON.encode(Answer.result(try inspect(response, as: kind)))
        case .push(let contentType, let parsing):
            let body = SourceBody(document, contentType: contentType, documentURL: "", received: received)
            let json = try WireJSON.encode(Answer.result(Self.read(body, parsing)))
            guard json.count > MessageLimits.maximumFrame else { return json }
            let fault = "the content has \(json.count) bytes as JSON; at most \(MessageLimits.maximumFrame) can be sent"
            return try WireJSON.encode(Answer.result(ReadAnswer(faults: fault)))
        }
    }

    /// Returns the answer about a document that ended the process in which it was read.
    func answerWithoutReading() throws(WireError) -> Data {
        let problem =
            "the document could not be read: it ended its reader, because it needs more than "
            + "\(ReaderProgram.timeLimit) s or too much memory, or because of an error in Tidings"
        return switch purpose {
        case .inspection(_, _, _, let url):
            try WireJSON.encode(Answer.result(InspectAnswer(problem: .init(.nothingToShow, "\(url): \(problem)"))))
        case .push: try WireJSON.encode(Answer.result(ReadAnswer(faults: problem)))
        }
    }

    private func inspect(_ response: HTTPResponse, as kind: WidgetKind?) throws(WireError) -> InspectAnswer {
        if let feed = response.announcedFeed { return InspectAnswer(announcedFeed: feed) }
        let found = SourceInspection(response, kind: kind, received: received)
        var answer = InspectAnswer(problem: found.problem.map { .init(.nothingToShow, "\(response.finalURL): \($0)") })
        var bytes = 0
        for reading in found.readings {
            bytes += try WireJSON.encode(reading).count
            guard bytes <= Self.maximumReadings else { break }
            answer.readings.append(reading)
        }
        if answer.readings.isEmpty, answer.problem == nil {
            let problem = "the content has more than \(Self.maximumReadings) bytes"
            answer.problem = .init(.nothingToShow, "\(response.finalURL): \(problem)")
        }
        return answer
    }

    private static func read(_ body: SourceBody, _ parsing: Parsing) -> ReadAnswer {
        do throws(DocumentFaults) {
            let document = try PushedDocument.read(body, parsing: parsing)
            return ReadAnswer(
                content: document.content,
                removed: document.removed,
                note: UnusedMember.text(document.unused)
            )
        } catch {
            return ReadAnswer(faults: error.text(name: ""))
        }
    }
}

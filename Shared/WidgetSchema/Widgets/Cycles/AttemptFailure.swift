// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The failure of an attempt to fetch content, with the time of the next attempt.
public struct AttemptFailure: Codable, Hashable, Sendable {
    public enum Class: String, Codable, CaseIterable, Sendable {
        /// The failure is temporary, such as a failed connection, a timeout or the HTTP status 500.
        case transient
        /// The origin reported too many requests.
        ///
        /// The origin answered with the HTTP status 429, with 503 and the header `Retry-After`, with 403 and an
        /// exhausted rate limit, or with a document that reports an exceeded limit.
        case rateLimited
        /// The failure persists until the source or its configuration changes.
        ///
        /// Examples are the HTTP status codes 404 and 410, and an IP address that the fetcher must not connect to
        /// because it is not public.
        case permanent
        /// The answer could not be parsed.
        case malformed
    }

    public var `class`: Class
    /// A description of the failure for a person, such as "https://example.org/feed answered 404".
    ///
    /// The description begins with a URL. For a document that cannot be parsed, this is the document's URL, followed by
    /// the line and the column of the problem if they are known. For all other failures, it is the source's URL. The two
    /// URLs differ after a redirect.
    public var message: String
    /// A sentence that explains the failure to a person who does not know the source, such as "The server says this page
    /// does not exist (404)."; nil if the failure comes from an earlier version.
    public var explanation: String?
    /// The HTTP status code of the answer; nil if there was no answer.
    ///
    /// Also nil if the answer was usable for another widget of the same source, but not for this one.
    public var status: Int?
    /// The time of the next attempt as planned when the attempt failed; nil if there will be none by itself.
    ///
    /// Commands and the answers to other sources of the host change the schedule later; ``SourceSchedule`` has the current one.
    public var nextAttempt: Instant?

    public init(
        class: Class,
        message: String,
        explanation: String? = nil,
        status: Int? = nil,
        nextAttempt: Instant? = nil
    ) {
        self.class = `class`
        self.message = message
        self.explanation = explanation
        self.status = status
        self.nextAttempt = nextAttempt
    }
}

extension AttemptFailure {
    /// The explanation; if there is none, the message as a sentence.
    public var sentence: String { explanation ?? (message.hasSuffix(".") ? message : message + ".") }

    /// A Boolean value that indicates whether the attempt certainly led to an answer of the origin.
    public var hasAnswer: Bool { status != nil || self.class == .malformed || self.class == .rateLimited }

    /// Returns the explanation of an answer that cannot be parsed.
    ///
    /// `answer` names the answer at the beginning of the sentence, and `kind` is the kind of the widget.
    public static func unreadable(_ answer: String = "The server's answer", as kind: WidgetKind) -> String {
        let form =
            switch kind {
            case .feed: "a feed"
            case .keyValue: "facts"
            case .forecast: "a forecast"
            case .quote: "quotes"
            case .documents: "documents"
            case .json: "the rows of this widget"
            }
        return "\(answer) cannot be read as \(form)."
    }
}

/// The cause of a failure in the form that panels show: equal causes look the same, whenever and however often they occur.
public struct FailureCause: Hashable, Sendable {
    public var `class`: AttemptFailure.Class
    /// The HTTP status code of the answer; nil if there was no answer.
    public var status: Int?
    /// A sentence in English; see ``AttemptFailure/explanation``.
    public var explanation: String?

    public init(class: AttemptFailure.Class, status: Int? = nil, explanation: String? = nil) {
        self.class = `class`
        self.status = status
        self.explanation = explanation
    }
}

extension AttemptFailure {
    /// The failure without the address and the time of the next attempt.
    public var cause: FailureCause { FailureCause(class: self.class, status: status, explanation: explanation) }
}

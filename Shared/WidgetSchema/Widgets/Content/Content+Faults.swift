// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Content {
    /// The descriptions of the problems in content that a client sent; empty if the content is valid.
    ///
    /// Each description begins with the path of the invalid value, such as `feed.items.0.id`. Content that a parser
    /// made needs no such check.
    public var faults: [String] {
        var report = FaultReport()
        value.report(to: &report)
        return report.faults
    }
}

/// A list of problems in content, each with the path of the invalid value.
struct FaultReport {
    private(set) var faults: [String] = []
    private var ids: [String: Int] = [:]

    mutating func count(_ count: Int, of things: String, atMost maximum: Int, at path: String) {
        if count > maximum { faults.append("\(path): the list has \(count) \(things); at most \(maximum) are allowed") }
    }

    mutating func unique(_ id: String, called name: String, index: Int, in list: String) {
        if id.isEmpty { faults.append("\(list).\(index).\(name): the value is empty") }
        if let first = ids.updateValue(ids[id] ?? index, forKey: id) {
            faults.append("\(list).\(index).\(name): the value is already used in \(list).\(first)")
        }
    }

    mutating func filled(_ text: String, at path: String) {
        if text.isEmpty { faults.append("\(path): the text is empty") }
    }

    mutating func length(_ text: String?, atMost maximum: Int, at path: String) {
        guard let text, text.count > maximum else { return }
        faults.append("\(path): the text has \(text.count) characters; at most \(maximum) are allowed")
    }

    mutating func webLink(_ link: String?, at path: String) {
        guard let link, !LinkSchemes.isOfTheWeb(link) else { return }
        faults.append("\(path): the link is not an http or https address")
    }

    mutating func appLink(_ link: String?, at path: String) {
        guard let link, !LinkSchemes.isOfTheWebOrAnApp(link) else { return }
        faults.append("\(path): the link is invalid; write an http or https address, or one with an app's own scheme")
    }

    mutating func value(_ value: RowValue?, at path: String) {
        switch value {
        case .text(let text): length(text, atMost: RowValue.maximumTextCharacters, at: path)
        case .number(let number) where !number.value.isFinite:
            faults.append("\(path): the value is not a finite number")
        case .number, .date, nil: break
        }
    }
}

extension FeedContent: ContentOfKind {
    var count: Int { items.count }
    var content: Content { .feed(self) }

    func report(to report: inout FaultReport) {
        report.count(items.count, of: "items", atMost: Self.maximumItems, at: "feed.items")
        for (index, item) in items.enumerated() {
            let path = "feed.items.\(index)"
            report.unique(item.id, called: "id", index: index, in: "feed.items")
            report.filled(item.title, at: "\(path).title")
            report.length(item.summary, atMost: FeedItem.maximumSummaryCharacters, at: "\(path).summary")
            report.webLink(item.link, at: "\(path).link")
        }
    }
}

extension KeyValueContent: ContentOfKind {
    var count: Int { pairs.count }
    var content: Content { .keyValue(self) }

    func report(to report: inout FaultReport) {
        report.count(pairs.count, of: "pairs", atMost: Self.maximumPairs, at: "keyValue.pairs")
        for (index, pair) in pairs.enumerated() {
            let path = "keyValue.pairs.\(index)"
            report.unique(pair.key, called: "key", index: index, in: "keyValue.pairs")
            report.length(pair.key, atMost: KeyValuePair.maximumKeyCharacters, at: "\(path).key")
            report.length(pair.value, atMost: KeyValuePair.maximumValueCharacters, at: "\(path).value")
        }
    }
}

extension ForecastContent: ContentOfKind {
    var count: Int { days.count }
    var content: Content { .forecast(self) }

    func report(to report: inout FaultReport) {
        report.count(days.count, of: "days", atMost: Self.maximumDays, at: "forecast.days")
        for (index, day) in days.enumerated() {
            report.unique(day.date.description, called: "date", index: index, in: "forecast.days")
            report.length(
                day.conditionText,
                atMost: ForecastDay.maximumConditionCharacters,
                at: "forecast.days.\(index).conditionText"
            )
        }
    }
}

extension QuoteContent: ContentOfKind {
    var count: Int { quotes.count }
    var content: Content { .quote(self) }

    func report(to report: inout FaultReport) {
        report.count(quotes.count, of: "quotes", atMost: Self.maximumQuotes, at: "quote.quotes")
        for (index, quote) in quotes.enumerated() {
            let path = "quote.quotes.\(index)"
            report.filled(quote.text, at: "\(path).text")
            report.length(quote.text, atMost: Quote.maximumTextCharacters, at: "\(path).text")
            report.length(quote.author, atMost: Quote.maximumNameCharacters, at: "\(path).author")
            report.length(quote.source, atMost: Quote.maximumNameCharacters, at: "\(path).source")
        }
    }
}

extension DocumentsContent: ContentOfKind {
    var count: Int { documents.count }
    var content: Content { .documents(self) }

    func report(to report: inout FaultReport) {
        report.count(documents.count, of: "documents", atMost: Self.maximumDocuments, at: "documents.documents")
        for (index, document) in documents.enumerated() {
            let path = "documents.documents.\(index)"
            report.unique(document.id, called: "id", index: index, in: "documents.documents")
            report.filled(document.title, at: "\(path).title")
            report.length(document.title, atMost: RecentDocument.maximumTitleCharacters, at: "\(path).title")
            report.appLink(document.link, at: "\(path).link")
        }
    }
}

extension RowsContent: ContentOfKind {
    var count: Int { rows.count }
    var content: Content { .json(self) }

    func report(to report: inout FaultReport) {
        report.count(rows.count, of: "rows", atMost: Self.maximumRows, at: "json.rows")
        for (index, row) in rows.enumerated() {
            let path = "json.rows.\(index)"
            report.unique(row.id, called: "id", index: index, in: "json.rows")
            report.value(row.title, at: "\(path).title")
            report.value(row.subtitle, at: "\(path).subtitle")
            report.appLink(row.link, at: "\(path).link")
        }
    }
}

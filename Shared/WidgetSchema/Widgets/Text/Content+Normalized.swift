// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Content {
    /// The content with every visible text in the stored form; see ``VisibleText``.
    ///
    /// Ids, links and dates are not texts. Contents that look the same are equal, even if their documents spell a
    /// character in another way, or contain characters that are never visible.
    public var normalized: Content {
        switch self {
        case .feed(var feed):
            normalize(&feed.title)
            for index in feed.items.indices {
                normalize(&feed.items[index].title)
                normalize(&feed.items[index].author)
                normalize(&feed.items[index].summary)
            }
            return .feed(feed)
        case .keyValue(var facts):
            // Keys remain unique: of those that look the same, only the first one is changed.
            var keys = Set(facts.pairs.map(\.key))
            for index in facts.pairs.indices {
                let key = VisibleText.normalized(facts.pairs[index].key)
                if keys.insert(key).inserted || key == facts.pairs[index].key { facts.pairs[index].key = key }
                normalize(&facts.pairs[index].value)
            }
            return .keyValue(facts)
        case .forecast(var forecast):
            for index in forecast.days.indices { normalize(&forecast.days[index].conditionText) }
            return .forecast(forecast)
        case .quote(var quotes):
            for index in quotes.quotes.indices {
                normalize(&quotes.quotes[index].text)
                normalize(&quotes.quotes[index].author)
                normalize(&quotes.quotes[index].source)
            }
            return .quote(quotes)
        case .documents(var recent):
            for index in recent.documents.indices { normalize(&recent.documents[index].title) }
            return .documents(recent)
        case .json(var list):
            for index in list.rows.indices {
                normalize(&list.rows[index].title)
                if var subtitle = list.rows[index].subtitle {
                    normalize(&subtitle)
                    list.rows[index].subtitle = subtitle
                }
            }
            return .json(list)
        }
    }
}

private func normalize(_ text: inout String) {
    text = VisibleText.normalized(text)
}

private func normalize(_ text: inout String?) {
    if let known = text { text = VisibleText.normalized(known) }
}

private func normalize(_ value: inout RowValue) {
    if case .text(let text) = value { value = .text(VisibleText.normalized(text)) }
}

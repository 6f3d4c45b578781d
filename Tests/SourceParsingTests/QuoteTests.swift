// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct QuoteTests {
    @Test func theFormsOfServicesAreUnderstood() throws {
        #expect(
            try KindSamples.quotes(KindSamples.quotes) == [
                Quote(text: "Begin, and half is done.", author: "Ada"),
                Quote(text: "Look twice.", author: "Ole", source: "Letters"), Quote(text: "A third.", author: "Kim"),
                Quote(text: "Just words"),
            ]
        )
    }

    @Test(arguments: [
        #"{"_id":"x","content":"Words","author":"Ada","tags":[],"length":5}"#,
        #"{"quotes":[{"quote":"Words","author":"Ada"}]}"#,
        #"{"count":1,"results":[{"content":"Words","author":"Ada"}]}"#,
        #"{"kind":"quote","quote":{"quotes":[{"text":"Words","author":"Ada"}]}}"#,
        "[{\"author\":\"Nobody\"},{\"text\":\" Words\\n\",\"author\":\"Ada\"},7,null]",
    ])
    func oneQuoteIsFoundInEachForm(text: String) throws {
        #expect(try KindSamples.quotes(text) == [Quote(text: "Words", author: "Ada")])
    }

    @Test(arguments: [
        #"{"quotes":[{"text":"Words","personId":"p","sourceId":7}],"people":[{"id":"p","name":"Ada"}],"sources":[{"id":7,"title":"Letters"}]}"#,
        #"{"quotes":[{"text":"Words","person_id":1,"source_id":"s"}],"people":{"1":{"name":"Ada"}},"sources":{"s":"Letters"}}"#,
        #"{"kind":"quote","quote":{"quotes":[{"text":"Words","authorId":1,"workId":2}],"authors":[{"id":1,"name":"Ada"}],"works":[{"id":2,"name":"Letters"}]}}"#,
        #"{"quotes":[{"text":"Words","author":"p","source":{"id":3}}],"people":{"p":"Ada"},"books":[{"id":3,"title":"Letters"}]}"#,
        #"[{"text":"Words","author":{"title":"Ada"},"source":{"title":"Letters","year":1843}}]"#,
        #"[{"text":"Words","person":{"name":"Ada"},"book":{"name":"Letters"}}]"#,
    ])
    func authorsAndSourcesMayBeObjectsOrStandBesideTheQuotes(text: String) throws {
        #expect(try KindSamples.quotes(text) == [Quote(text: "Words", author: "Ada", source: "Letters")])
    }

    @Test func aNameMayHaveTwoParts() throws {
        let people = #"[{"id":1,"firstName":"Ada","lastName":"King"}]"#
        let text = #"{"quotes":[{"text":"Words","personId":1}],"people":\#(people)}"#
        #expect(try KindSamples.quotes(text) == [Quote(text: "Words", author: "Ada King")])
    }

    @Test func anIdThatIsNotListedNamesNobody() throws {
        let text = #"{"quotes":[{"text":"Words","personId":"q"},{"text":"More","author":"Ole"}],"people":{"p":"Ada"}}"#
        #expect(try KindSamples.quotes(text) == [Quote(text: "Words"), Quote(text: "More", author: "Ole")])
    }

    @Test func aComplaintInTheFormOfAQuoteIsNone() {
        let text = #"[{"q":"Too many requests. Obtain an auth key for unlimited access.","a":"zenquotes.io","h":""}]"#
        let fault = KindSamples.fault(text, .quote)
        #expect(fault?.kind == .rateLimited)
        #expect(fault?.message.contains("Too many requests") == true)
    }

    @Test(arguments: ["{}", #"[{"author":"Ada"}]"#, "7", "null", "[7]", #"{"quotes":{}}"#, #"{"message":"Hi"}"#])
    func whatHasNoWordsIsNoQuote(text: String) { #expect(KindSamples.fault(text, .quote)?.kind == .wrongFormat) }

    @Test func noneAtAllIsNoFault() throws {
        #expect(try KindSamples.quotes("[]").isEmpty)
        #expect(try KindSamples.quotes(#"{"quotes":[]}"#).isEmpty)
    }

    @Test(arguments: [0, 1, 366, 500]) func asManyAreKeptAsAYearHasDays(count: Int) throws {
        let text = "[" + (0..<count).map { #""Words \#($0)""# }.joined(separator: ",") + "]"
        #expect(try KindSamples.quotes(text).count == min(count, 366))
    }

    @Test func longWordsAreCut() throws {
        let quote = try #require(try KindSamples.quotes("\"\(String(repeating: "word ", count: 1_000))\"").first)
        #expect(quote.text.count <= Quote.maximumTextCharacters)
        #expect(quote.text.hasSuffix("word…"))
    }
}

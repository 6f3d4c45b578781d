// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import HTTPTransport
@testable import SourceFetching

/// Web pages, in place of a feed and as the way to one.
extension OutcomeReaderTests {
    private static let page = """
        <!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>
        """

    private func page(_ type: String = "text/html; charset=utf-8", hops: [RedirectHop] = []) -> HTTPResponse {
        var response = response(200, Self.page, [HTTPHeader("Content-Type", type)])
        response.hops = hops
        if let last = hops.last { response.finalURL = last.to }
        return response
    }

    private func followUp(_ response: HTTPResponse, mayFollowPages: Bool? = true, kind: WidgetKind = .feed) -> FollowUp?
    {
        var lease = lease()
        (lease.mayFollowPages, lease.parsings) = (mayFollowPages, [Parsing(kind: kind)])
        return OutcomeReader(lease: lease, answeredAt: Self.now).followUp(after: .success(response))
    }

    @Test func aPageLeadsToItsFeedOnlyIfTheLeaseAllowsIt() {
        let feed = FollowUp.announced("https://example.org/feed.xml")
        #expect(followUp(page()) == feed)
        #expect(followUp(page("")) == feed)
        #expect(followUp(page(), mayFollowPages: nil) == nil)
        #expect(followUp(page(), kind: .keyValue) == nil)
        // A feed that is served as a page is a feed, whatever it links to.
        var atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>"
        atom += "<link rel='alternate' type='application/atom+xml' href='/comments'/></feed>"
        #expect(followUp(response(200, atom, [HTTPHeader("Content-Type", "text/html")])) == nil)
    }

    @Test(arguments: [
        (302, "https://login.example/", false), (303, "https://login.example/", false),
        (307, "https://example.org:8443/", false), (302, "https://example.org/home", true),
        (302, "http://example.org/home", true), (301, "https://new.example/", true),
    ])
    func aTemporaryRedirectToAnotherHostLeadsToNoFeed(status: Int, target: String, leads: Bool) {
        let hop = RedirectHop(from: "https://example.org/feed", status: status, to: target)
        #expect((followUp(page(hops: [hop])) != nil) == leads)
    }

    @Test(arguments: [
        ([302, 301], ["https://example.org/login", "https://portal.example/"], false),
        ([302, 302], ["https://portal.example/", "https://example.org/home"], false),
        ([301, 302], ["https://new.example/", "https://portal.example/"], false),
        ([301, 302, 301], ["https://new.example/", "https://new.example/in", "https://portal.example/"], false),
        ([301, 302], ["https://new.example/", "https://new.example/home"], true),
        ([302, 308], ["https://example.org/in", "https://example.org/home"], true),
    ])
    func aChainThatATemporaryRedirectContinuesElsewhereLeadsToNoFeed(
        statuses: [Int],
        targets: [String],
        leads: Bool
    ) {
        let from = ["https://example.org/feed"] + targets
        let hops = targets.indices.map { RedirectHop(from: from[$0], status: statuses[$0], to: targets[$0]) }
        #expect((followUp(page(hops: hops)) != nil) == leads)
    }

    @Test(arguments: ["text/html", "application/xhtml+xml", "text/xml", ""])
    func aPageInPlaceOfAFeedSaysSo(type: String) {
        let hop = RedirectHop(from: "https://example.org/feed", status: 302, to: "https://login.example/?token=1")
        let outcome = read(page(type, hops: [hop]))
        #expect(outcome.data.failure?.class == .malformed)
        #expect(
            outcome.data.failure?.message
                == "https://example.org/feed answered with a web page in place of a feed, after a redirect to login.example;"
                + " if the feed that the page announces is the right one, configure https://login.example/feed.xml"
        )
        #expect(outcome.data.announced == "https://login.example/feed.xml")
        #expect(outcome.data.location == nil)
    }

    @Test func anAnnouncedFeedIsNamedInTheOutcome() {
        let announced = FollowUp.announced("https://example.org/feed.xml")
        let reader = OutcomeReader(lease: lease(), answeredAt: Self.now, after: announced)
        let outcome = reader.outcome(of: .success(response(200, Self.feed))).data
        #expect(outcome.announced == "https://example.org/feed.xml")
        #expect(outcome.location == "https://example.org/feed.xml")
        let failed = reader.outcome(of: .success(page())).data
        #expect(failed.announced == "https://example.org/feed.xml")
        #expect(failed.failure?.message.contains("announces the feed https://example.org/feed.xml, which") == true)
    }

    @Test func aFallbackToHTTP1IsReported() {
        var answered = response(200, Self.feed)
        #expect(read(answered).data.failedHTTP2 == nil)
        answered.failedHTTP2 = true
        #expect(read(answered).data.failedHTTP2 == true)
        var lease = lease()
        #expect(!HTTPRequest(lease).avoidsHTTP2)
        lease.avoidsHTTP2 = true
        #expect(HTTPRequest(lease).avoidsHTTP2)
    }
}

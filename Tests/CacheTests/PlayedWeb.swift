// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceFetching
import WidgetSchema

@testable import Cache
@testable import HTTPTransport

/// A web of scripted answers, with a network that can replace them by the login page of a portal.
final class PlayedWeb {
    enum Answer {
        case feed(String)
        /// A web page that announces the feeds with these addresses.
        case page([String])
        case redirect(Int, String)
        case status(Int)
    }

    /// The behaviour of the network between the fetcher and the web.
    enum Network: CaseIterable {
        case open
        /// Every host answers with a temporary redirect to the portal's page.
        case redirecting
        /// Every host answers with the portal's page itself.
        case replacing
        /// No host answers.
        case down
    }

    static let portal = "http://portal.example/login"
    static let portalFeed = "http://portal.example/news.xml"

    var answers: [String: Answer] = [:]
    var deadHosts: Set<String> = []
    var network = Network.open
    private(set) var requests: [HTTPRequest] = []

    /// Answers the requests of a lease, as a fetcher would send them.
    func outcome(of lease: Lease, now: Instant) -> FetchOutcome {
        let reader = OutcomeReader(lease: lease, answeredAt: now)
        let first = answer(HTTPRequest(lease))
        guard let followUp = reader.followUp(after: first) else { return reader.outcome(of: first) }
        let second = answer(HTTPRequest(lease, after: followUp))
        return OutcomeReader(lease: lease, answeredAt: now, after: followUp).outcome(of: second)
    }

    private func answer(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
        requests.append(request)
        var hops: [RedirectHop] = []
        var url = request.url
        while hops.count <= 5 {
            let host = URLComponents(string: url)?.host ?? ""
            if network == .down || deadHosts.contains(host) {
                return .failure(HTTPFailure(kind: .connectionFailed, url: url, message: "nobody listens"))
            }
            switch played(url, host) {
            case .redirect(let status, let target):
                hops.append(RedirectHop(from: url, status: status, to: target))
                url = target
            case .feed(let title):
                let item = "<item><title>\(title)</title></item>"
                let text = "<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>"
                return .success(response(200, "application/rss+xml", text, url, hops))
            case .page(let feeds):
                let links = feeds.map { "<link rel='alternate' type='application/rss+xml' href='\($0)'>" }.joined()
                let text = "<!DOCTYPE html><html><head>\(links)</head><body>Welcome</body></html>"
                return .success(response(200, "text/html", text, url, hops))
            case .status(let status): return .success(response(status, "text/plain", "", url, hops))
            }
        }
        return .failure(HTTPFailure(kind: .tooManyRedirects, url: url, message: "too many redirects"))
    }

    private func played(_ url: String, _ host: String) -> Answer {
        if url == Self.portalFeed { return .feed("foreign") }
        if url == Self.portal { return .page([Self.portalFeed]) }
        switch network {
        case .redirecting: return .redirect(302, Self.portal)
        case .replacing: return .page([Self.portalFeed, "/news.xml"])
        case .open, .down: return answers[url] ?? .status(404)
        }
    }

    private func response(
        _ status: Int,
        _ type: String,
        _ text: String,
        _ url: String,
        _ hops: [RedirectHop]
    ) -> HTTPResponse {
        let headers = HTTPHeaders([HTTPHeader("Content-Type", type)])
        return HTTPResponse(status: status, headers: headers, body: Data(text.utf8), finalURL: url, hops: hops)
    }
}

/// A cache with one widget, whose leases a fetcher fulfils in a played web.
final class PlayedSource {
    static let configured = "http://blog.example/feed"
    static let interval = Duration.seconds(3600)

    let web = PlayedWeb()
    let cache: CacheFixture
    private var requests = 0
    private var contents: [ContentDigest: Data] = [:]
    /// The last failure of an attempt; nil if the last attempt went well.
    private(set) var failure: AttemptFailure?
    /// The addresses of all leases.
    private(set) var leased: [String] = []

    init(_ plan: CachePlan = CacheFixture.plan([configured])) {
        var plan = plan
        plan.widgets[CacheFixture.widget(0)]?.interval = Self.interval
        cache = CacheFixture.started(plan)
    }

    var record: SourceRecord? { cache.stored.sources.values.first }

    /// The titles of the widget's content.
    var shown: [String] {
        guard let digest = cache.core.state.widgets[CacheFixture.widget(0)]?.content?.digest,
            let bytes = contents[digest], case .feed(let feed)? = try? WireJSON.decode(Content.self, from: bytes)
        else { return [] }
        return feed.items.map(\.title)
    }

    /// Fulfils the leases that are due now.
    func attempt() {
        requests += 1
        for lease in cache.lease("fetcher-\(requests)")?.leases ?? [] {
            leased.append(lease.url)
            let outcome = web.outcome(of: lease, now: cache.now)
            failure = outcome.data.failure
            var bytes: [ContentDigest: Data] = [:]
            for (reference, content) in zip(outcome.data.contents, outcome.contents) {
                bytes[reference.digest] = content
            }
            contents.merge(bytes) { $1 }
            cache.feed(.fetched(lease.source, outcome.data, contents: bytes))
        }
    }

    /// Fulfils all leases that become due within a duration; `check` is called after each.
    func run(_ duration: Duration, _ check: () -> Void = {}) {
        let end = cache.now.advanced(by: duration)
        while let due = cache.core.schedule.nextDeadline, due <= end {
            cache.now = max(cache.now, due)
            attempt()
            check()
        }
        cache.now = max(cache.now, end)
    }
}

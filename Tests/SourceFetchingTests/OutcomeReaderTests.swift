// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Locking
import SourceParsing
import TestSupport
import Testing
import WidgetSchema

@testable import SourceFetching

@Suite struct OutcomeReaderTests {
    static let now = Instant(milliseconds: 784_111_777_000)  // Sun, 06 Nov 1994 08:49:37 GMT
    static let feed = """
        <rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>One</title></item></channel></rss>
        """

    @Test func aFeedBecomesContentNamedByItsDigest() throws {
        let outcome = read(response(200, Self.feed, [HTTPHeader("ETag", "\"a\""), HTTPHeader("Last-Modified", "x")]))
        #expect(outcome.data.result == .content)
        #expect(outcome.data.validators == Validators(entityTag: "\"a\"", lastModified: "x"))
        #expect(outcome.data.contents.map(\.parsing) == ["feed"])
        let content = try WireJSON.decode(Content.self, from: try #require(outcome.contents.first))
        let site = "https://example.org/feed"
        let items = [FeedItem(id: "1", title: "One", link: site)]
        #expect(content == .feed(FeedContent(title: "T", link: site, items: items)))
    }

    @Test func theSameBytesAreNotParsedAgain() throws {
        let first = read(response(200, Self.feed))
        let again = read(response(200, Self.feed), lease(bodyDigest: first.data.bodyDigest))
        #expect(again.data.result == .sameBytes)
        #expect(again.contents.isEmpty)
    }

    @Test(arguments: [
        (404, [], AttemptFailure.Class.permanent), (410, [], .permanent), (500, [], .transient), (503, [], .transient),
        (429, [], .rateLimited), (503, [HTTPHeader("Retry-After", "120")], .rateLimited), (408, [], .transient),
        (204, [], .malformed), (205, [], .malformed), (206, [], .transient), (403, [], .permanent),
        (403, [HTTPHeader("X-RateLimit-Remaining", "0")], .rateLimited),
        (503, [HTTPHeader("X-RateLimit-Reset", "42")], .rateLimited),
    ])
    func aStatusSaysHowTheAttemptFailed(
        _ status: Int,
        _ headers: [HTTPHeader],
        _ failureClass: AttemptFailure.Class
    ) {
        let outcome = read(response(status, "", headers))
        #expect(outcome.data.result == .failed)
        #expect(outcome.data.failure?.class == failureClass)
        #expect(outcome.data.failure?.status == status)
        #expect(outcome.data.failure?.message.contains("https://example.org/feed") == true)
    }

    @Test(arguments: [
        (200, []), (201, []), (202, []), (203, []), (226, [HTTPHeader("IM", "feed")]), (299, []),
        (206, [HTTPHeader("Content-Range", "bytes 0-99/100")]),
    ])
    func everySuccessWithAWholeFeedIsContent(status: Int, headers: [HTTPHeader]) {
        let outcome = read(response(status, Self.feed, headers + [HTTPHeader("ETag", "\"a\"")]))
        #expect(outcome.data.result == .content)
        #expect(outcome.data.validators.entityTag == "\"a\"")
    }

    @Test(arguments: [
        "bytes 0-98/100", "bytes 1-99/100", "bytes 0-99/*", "bytes */100", "items 0-99/100", "bytes 0-/100", "",
        "bytes 0-9223372036854775807/1", "bytes -1-99/100",
    ])
    func aPartOfADocumentIsNone(range: String) {
        let outcome = read(response(206, Self.feed, [HTTPHeader("Content-Range", range)]))
        #expect(outcome.data.failure?.class == .transient)
        #expect(outcome.data.failure?.status == 206)
    }

    @Test func garbageIsMalformedAndItsErrorNamesTheURL() {
        let outcome = read(response(200, "<html><body>Sign in</body></html>"))
        #expect(outcome.data.failure?.class == .malformed)
        #expect(outcome.data.failure?.message.contains("https://example.org/feed") == true)
        #expect(outcome.contents.isEmpty)
    }

    @Test func anApologyInPlaceOfDataIsAFailureOfItsKind() {
        var lease = lease()
        lease.parsings = [Parsing(kind: .keyValue)]
        let limited = read(response(200, "{\"error\":true,\"reason\":\"RateLimited\"}"), lease)
        #expect(limited.data.failure?.class == .rateLimited)
        #expect(limited.data.failure?.message.contains("RateLimited") == true)
        let refused = read(response(200, "{\"status\":\"fail\",\"message\":\"reserved range\"}"), lease)
        #expect(refused.data.failure?.class == .malformed)
        #expect(refused.contents.isEmpty)
    }

    @Test func a304CountsOnlyWhereConditionsWereSent() {
        #expect(read(response(304, "")).data.failure?.class == .malformed)
        let conditional = read(response(304, ""), lease(validators: Validators(entityTag: "\"a\"")))
        #expect(conditional.data.result == .notModified)
    }

    @Test(arguments: [
        ([HTTPHeader("Cache-Control", "public, max-age=300")], 300),
        ([HTTPHeader("Cache-Control", "max-age=300"), HTTPHeader("Age", "100")], 200),
        ([HTTPHeader("Cache-Control", "no-cache, max-age=300")], 0),
        ([HTTPHeader("Cache-Control", "max-age=60"), HTTPHeader("Expires", "Sun, 06 Nov 1994 09:49:37 GMT")], 60),
        (
            [
                HTTPHeader("Expires", "Sun, 06 Nov 1994 09:49:37 GMT"),
                HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:07 GMT"),
            ], 3630
        ),
        ([HTTPHeader("Expires", "0")], 0),
        ([HTTPHeader("Cache-Control", "max-age=99999999999999999999")], Int(Int32.max)),
        ([], nil),
    ])
    func freshnessIsReadByRFC9111(_ headers: [HTTPHeader], _ seconds: Int?) {
        #expect(read(response(200, Self.feed, headers)).data.freshness.lifetimeSeconds == seconds)
    }

    @Test(arguments: [("120", 120), ("Sun, 06 Nov 1994 08:51:37 GMT", 120), ("-5", nil), ("soon", nil)])
    func retryAfterIsSecondsOrADate(_ value: String, _ seconds: Int?) {
        let outcome = read(response(429, "", [HTTPHeader("Retry-After", value)]))
        #expect(outcome.data.freshness.retryAfterSeconds == seconds)
    }

    @Test(arguments: [
        ([HTTPHeader("x-ratelimit-reset", "42")], 42), ([HTTPHeader("X-Rate-Limit-Reset", "41.5")], 42),
        ([HTTPHeader("RateLimit-Reset", "42")], 42), ([HTTPHeader("x-ratelimit-reset", "784111819")], 784_111_819),
        ([HTTPHeader("RateLimit", "limit=100, remaining=0, reset=50")], 50),
        ([HTTPHeader("RateLimit", "\"default\";r=0;t=30")], 30),
        ([HTTPHeader("Retry-After", "7"), HTTPHeader("x-ratelimit-reset", "42")], 7),
        ([HTTPHeader("x-ratelimit-reset", "Sun, 06 Nov 1994 08:50:37 GMT")], 60),
        ([HTTPHeader("x-ratelimit-reset", "soon")], nil), ([HTTPHeader("x-ratelimit-reset", "-1")], nil),
    ])
    func theEndOfARateLimitIsReadInEachOfItsForms(_ headers: [HTTPHeader], _ seconds: Int?) {
        #expect(read(response(429, "", headers)).data.freshness.retryAfterSeconds == seconds)
    }

    @Test(arguments: [("1763634642", 42), ("1763634642000", 42), ("1763634600", 0), ("1763634000", 0)])
    func anEndOfARateLimitMayBeAMoment(_ value: String, _ seconds: Int?) {
        let reader = OutcomeReader(lease: lease(), answeredAt: Instant(milliseconds: 1_763_634_600_000))
        let outcome = reader.outcome(of: .success(response(429, "", [HTTPHeader("x-ratelimit-reset", value)])))
        #expect(outcome.data.freshness.retryAfterSeconds == seconds)
    }

    @Test func aRateLimitCountsInAGoodAnswerOnlyWhereItIsUsedUp() {
        let left = [HTTPHeader("X-RateLimit-Remaining", "1"), HTTPHeader("X-RateLimit-Reset", "60")]
        #expect(read(response(200, Self.feed, left)).data.freshness.retryAfterSeconds == nil)
        let none = [HTTPHeader("X-RateLimit-Remaining", "0"), HTTPHeader("X-RateLimit-Reset", "60")]
        #expect(read(response(200, Self.feed, none)).data.freshness.retryAfterSeconds == 60)
    }

    @Test(arguments: [
        ([HTTPHeader("Last-Modified", "Sun, 06 Nov 1994 08:00:00 GMT")], true, "Sun, 06 Nov 1994 08:00:00 GMT"),
        ([HTTPHeader("Last-Modified", "Tue, 19 Jan 2038 03:14:07 GMT")], true, nil),
        ([HTTPHeader("Last-Modified", "of late")], true, "of late"),
        ([HTTPHeader("Expires", "0")], false, nil),
        ([HTTPHeader("Expires", "0"), HTTPHeader("Cache-Control", "no-cache")], true, nil),
    ])
    func validatorsThatLieAreNotKept(_ headers: [HTTPHeader], _ keepsTag: Bool, _ lastModified: String?) {
        let validators = read(response(200, Self.feed, headers + [HTTPHeader("ETag", "\"a\"")])).data.validators
        #expect(validators == Validators(entityTag: keepsTag ? "\"a\"" : nil, lastModified: lastModified))
    }

    @Test func whatIsOfUseForOneParsingIsNotHeldBackByAnother() {
        var lease = lease()
        lease.parsings = [Parsing(kind: .quote), Parsing(kind: .feed)]
        let outcome = read(response(200, Self.feed), lease)
        #expect(outcome.data.result == .content)
        #expect(outcome.data.contents.map(\.parsing) == ["feed"])
        #expect(outcome.data.rejected?.map(\.parsing) == ["quote"])
        #expect(outcome.data.rejected?.first?.message.contains("https://example.org/feed") == true)
        lease.parsings = [Parsing(kind: .quote)]
        #expect(read(response(200, Self.feed), lease).data.failure?.class == .malformed)
    }

    @Test func whatAFeedSaysAboutItselfIsPassedOn() {
        let body = """
            <rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><title>T</title>
            <ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod><skipHours><hour>3</hour></skipHours>
            <skipDays><day>Sunday</day></skipDays></channel></rss>
            """
        let advice = PublisherAdvice(
            timeToLiveSeconds: 3600,
            updateIntervalSeconds: 86_400,
            skippedHours: [3],
            skippedDays: [7]
        )
        #expect(read(response(200, body)).data.advice == advice)
        #expect(read(response(200, Self.feed)).data.advice == nil)
    }

    @Test func theHostThatAnsweredIsNamedWhereItIsNotTheLeasedOne() {
        var moved = response(200, Self.feed)
        #expect(read(moved).data.answeredBy == nil)
        moved.finalURL = "http://cdn.example.net:8080/feed"
        #expect(read(moved).data.answeredBy == "cdn.example.net:8080")
    }

    @Test func bothValidatorsAreSentByteForByteAndNotToAnAnnouncedFeed() {
        let validators = Validators(entityTag: "W/\"ü a\"", lastModified: "yesterday")
        let request = HTTPRequest(lease(validators: validators))
        #expect(request.headers.contains(HTTPHeader("If-None-Match", "W/\"ü a\"")))
        #expect(request.headers.contains(HTTPHeader("If-Modified-Since", "yesterday")))
        #expect(request.headers.first?.name == "Accept")
        let announced = HTTPRequest(lease(validators: validators), after: .announced("https://example.org/feed.xml"))
        #expect(announced.headers.map(\.name) == ["Accept"])
    }

    @Test(arguments: [
        (FollowUp.announced("https://example.org/feed.xml"), ["Accept", "X-Key"]),
        (.announced("https://other.example/feed.xml"), ["Accept"]), (.withoutConditions, ["Accept", "X-Key"]),
    ])
    func anAnnouncedFeedOnAnotherServerIsRequestedWithoutSecrets(_ followUp: FollowUp, _ names: [String]) {
        var lease = lease()
        lease.headers = [RequestHeader(name: "X-Key", value: "1")]
        #expect(HTTPRequest(lease, after: followUp).headers.map(\.name) == names)
    }

    @Test func theQueryOfASourceIsInNoMessage() {
        var lease = lease()
        lease.url = "https://example.org/feed?key=secret"
        lease.parsings = [Parsing(kind: .quote)]
        for status in [304, 403, 404, 410, 429, 500] {
            let message = read(response(status, ""), lease).data.failure?.message
            #expect(message?.contains("https://example.org/feed?…") == true)
            #expect(message?.contains("secret") == false)
        }
        let failure = HTTPFailure(kind: .timedOut, url: lease.url, message: "It took too long.")
        let failed = OutcomeReader(lease: lease, answeredAt: Self.now).outcome(of: .failure(failure))
        #expect(failed.data.failure?.message == "https://example.org/feed?…: It took too long.")
        var unreadable = response(200, Self.feed)
        unreadable.finalURL = lease.url
        let message = read(unreadable, lease).data.failure?.message
        #expect(message?.contains("https://example.org/feed?…") == true)
        #expect(message?.contains("secret") == false)
    }

    @Test(arguments: [
        (HTTPFailure.Kind.timedOut, AttemptFailure.Class.transient), (.connectionFailed, .transient),
        (.refusedAddress, .permanent), (.tooManyRedirects, .permanent), (.bodyTooLarge, .permanent),
        (.badContentCoding, .malformed),
    ])
    func aTransferThatFailedSaysHow(_ kind: HTTPFailure.Kind, _ failureClass: AttemptFailure.Class) {
        let reader = OutcomeReader(lease: lease(), answeredAt: Self.now)
        let outcome = reader.outcome(of: .failure(HTTPFailure(kind: kind, url: "x", message: "It failed.")))
        #expect(outcome.data.failure?.class == failureClass)
    }

    @Test(arguments: ["\"a\u{1}b\"", "\"a\u{7f}\"", "", String(repeating: "x", count: 5000)])
    func aValidatorThatCannotBeSentIsNeitherKeptNorSent(tag: String) {
        let outcome = read(response(200, Self.feed, [HTTPHeader("ETag", tag), HTTPHeader("Last-Modified", "x")]))
        #expect(outcome.data.validators == Validators(lastModified: "x"))
        // An earlier version has kept some.
        let request = HTTPRequest(lease(validators: Validators(entityTag: tag, lastModified: "x")))
        #expect(request.headers.map(\.name) == ["Accept", "If-Modified-Since"])
    }

    @Test(arguments: [(412, true), (431, true), (400, true), (404, false), (200, false), (304, false)])
    func aStatusThatMayBeDueToConditionsIsTriedOnceWithout(status: Int, isTriedAgain: Bool) {
        let conditional = lease(validators: Validators(entityTag: "\"a\""))
        let answer = Result<HTTPResponse, HTTPFailure>.success(response(status, ""))
        let first = OutcomeReader(lease: conditional, answeredAt: Self.now)
        #expect(first.followUp(after: answer) == (isTriedAgain ? .withoutConditions : nil))
        let second = OutcomeReader(lease: conditional, answeredAt: Self.now, after: .withoutConditions)
        #expect(second.followUp(after: answer) == nil)
        #expect(OutcomeReader(lease: lease(), answeredAt: Self.now).followUp(after: answer) == nil)
        #expect(HTTPRequest(conditional, after: .withoutConditions).headers.map(\.name) == ["Accept"])
    }

    /// A feed that is long enough for the parser to read the clock.
    private static let longFeed: String = {
        let items = String(repeating: "<item><title>x</title></item>", count: 20_000)
        return "<rss version='2.0'><channel><title>T</title>\(items)</channel></rss>"
    }()

    @Test func aBodyThatUsesUpItsProcessorTimeIsMalformedAndNotReadAgain() throws {
        let inserted = Lock<[String]>([])
        let quarantine = BodyQuarantine(capacity: 2, minimumTime: .zero) { source, reason in
            inserted.withLock { $0.append("\(source): \(reason)") }
        }
        let body = Self.longFeed
        func read(_ processorTime: Duration) -> FetchOutcome {
            let (lease, now) = (lease(), Self.now)
            return OutcomeReader(lease: lease, answeredAt: now, processorTime: processorTime, quarantine: quarantine)
                .outcome(of: .success(response(200, body)))
        }
        #expect(read(.zero).data.failure?.class == .malformed)
        #expect(quarantine.count == 1)
        // With all the time in the world it is not tried again.
        let again = read(.seconds(60))
        #expect(again.data.failure?.class == .malformed)
        #expect(again.data.failure?.message.contains("processor time") == true)
        #expect(inserted.withLock(\.self).count == 1)
        for number in 0..<2 {
            let digest = try #require(ContentDigest(rawValue: String(repeating: "\(number)", count: 64)))
            quarantine.insert(digest, of: lease().source, reason: "x")
        }
        #expect(quarantine.count == 2)
        #expect(read(.seconds(60)).data.result == .content)
    }

    @Test func aShortenedProcessorTimeCondemnsNoDocument() {
        let quarantine = BodyQuarantine()
        func read(_ processorTime: Duration) -> Fetched {
            let (lease, now) = (lease(), Self.now)
            return OutcomeReader(lease: lease, answeredAt: now, processorTime: processorTime, quarantine: quarantine)
                .outcome(of: .success(response(200, Self.longFeed, [HTTPHeader("ETag", "\"a\"")]))).data
        }
        let hurried = read(.zero)
        #expect(hurried.failure?.class == .transient)
        #expect(hurried.bodyDigest == nil)
        #expect(hurried.validators == Validators())
        #expect(quarantine.count == 0)
        #expect(read(.seconds(60)).result == .content)
    }

    @Test func relativeDaysAreReadAgainAlthoughTheBytesAreTheSame() {
        var lease = lease()
        lease.parsings = [Parsing(kind: .forecast)]
        let tag = [HTTPHeader("ETag", "\"a\"")]
        let days = #""days":[{"daysFromNow":1,"condition":"rain"}]"#
        let relative = read(response(200, "{\(days)}", tag), lease).data
        #expect(relative.result == .content)
        #expect(relative.bodyDigest == nil)
        #expect(relative.validators == Validators())
        let dated = read(response(200, #"{"date":"1994-11-06",\#(days)}"#, tag), lease).data
        #expect(dated.result == .content)
        #expect(dated.bodyDigest != nil)
        #expect(dated.validators.entityTag == "\"a\"")
    }

    @Test(arguments: [
        ("<item>\(String(repeating: "<author>a</author>", count: 33))</item>", ParsingWork.Limit.parts),
        ((0...1000).map { "<item><title>\($0)</title></item>" }.joined(), .items),
        (
            "<item><title>x</title><description>\(String(repeating: "x", count: 1 << 20))</description></item>",
            .textBytes
        ),
        ("<item><title>x</title></item>", nil),
    ])
    func aLimitThatADocumentReachesIsTold(items: String, limit: ParsingWork.Limit?) {
        let told = Lock<[ParsingWork.Limit]>([])
        let tell = { @Sendable (limits: Set<ParsingWork.Limit>) in told.withLock { $0 += limits } }
        let reader = OutcomeReader(lease: lease(), answeredAt: Self.now, onLimits: tell)
        let body = "<rss version='2.0'><channel><title>T</title>\(items)</channel></rss>"
        #expect(reader.outcome(of: .success(response(200, body))).data.result == .content)
        #expect(told.withLock(\.self) == (limit.map { [$0] } ?? []))
    }

    func read(_ response: HTTPResponse, _ lease: Lease? = nil) -> FetchOutcome {
        OutcomeReader(lease: lease ?? self.lease(), answeredAt: Self.now).outcome(of: .success(response))
    }

    func response(_ status: Int, _ body: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
        let (headers, body) = (HTTPHeaders(headers), Data(body.utf8))
        return HTTPResponse(status: status, headers: headers, body: body, finalURL: "https://example.org/feed")
    }

    func lease(validators: Validators = Validators(), bodyDigest: ContentDigest? = nil) -> Lease {
        var lease = Lease.sample()
        (lease.validators, lease.bodyDigest) = (validators, bodyDigest)
        return lease
    }
}

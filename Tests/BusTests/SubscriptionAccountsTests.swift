// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Bus

@Suite struct SubscriptionAccountsTests {
    /// Accounts with low limits; the number of a connection is that of its descriptor, if a test tells no other one.
    private struct Fixture {
        var accounts = SubscriptionAccounts(SubscriptionLimits(count: 10, bytes: 100))

        mutating func handle(_ text: String, of descriptor: Int32, number: UInt64? = nil) throws -> Int32? {
            let frame = try #require(SubscriptionAccountsTests.frame(text))
            let number = number ?? UInt64(descriptor)
            let connection = SubscriptionAccounts.Connection(descriptor: descriptor, number: number)
            let excess = accounts.handle(frame, of: connection, at: "host-\(descriptor)")
            if let excess { #expect(excess.address == "host-\(excess.connection.descriptor)") }
            return excess?.connection.descriptor
        }
    }

    private static func frame(_ text: String) -> SubscriptionFrame? {
        Array(text.utf8).withUnsafeBytes { SubscriptionFrame($0) }
    }

    @Test func aFrameSubscribesOrUnsubscribesAndNothingElseIsOne() {
        #expect(Self.frame("\u{1}a/")?.subscribes == true)
        #expect(Self.frame("\u{0}a/")?.subscribes == false)
        #expect(Self.frame("\u{1}")?.prefix == [])
        for wrong in ["", "hello", "\u{2}a/", "\u{1}" + String(repeating: "a", count: 256)] {
            #expect(Self.frame(wrong) == nil)
        }
    }

    @Test func onlySubscriptionsToTheReadinessTopicAreConfirmed() {
        #expect(Self.frame("\u{1}~ready/abc/")?.confirmation == .ready(nonce: "abc"))
        let long = String(repeating: "a", count: 65)
        for other in [
            "\u{1}update/", "\u{0}~ready/abc/", "\u{1}~ready/a/b/", "\u{1}~ready//", "\u{1}~ready/\(long)/", "\u{1}",
        ] {
            #expect(Self.frame(other)?.confirmation == nil)
        }
    }

    @Test func oneSubscriptionMoreThanTheLimitEndsTheConnection() throws {
        var fixture = Fixture()
        for number in 0..<10 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(try fixture.handle("\u{1}x", of: 1) == 1)
        #expect(fixture.accounts.count == 0)
        // What still arrives from it is ignored, and it ends once.
        for number in 0..<20 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(fixture.accounts.count == 0)
    }

    @Test func oneByteMoreThanTheLimitEndsTheConnection() throws {
        var fixture = Fixture()
        #expect(try fixture.handle("\u{1}" + String(repeating: "a", count: 60), of: 1) == nil)
        #expect(try fixture.handle("\u{1}" + String(repeating: "b", count: 40), of: 1) == nil)
        #expect(try fixture.handle("\u{1}c", of: 1) == 1)
    }

    @Test func repeatedSubscriptionsCountOnceAndEndedOnesDoNotCount() throws {
        var fixture = Fixture()
        for _ in 0..<100 { #expect(try fixture.handle("\u{1}a", of: 1) == nil) }
        #expect((fixture.accounts.count, fixture.accounts.bytes) == (1, 1))
        for number in 0..<100 {
            #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil)
            #expect(try fixture.handle("\u{0}\(number)", of: 1) == nil)
        }
        // An unsubscription from something else is no credit.
        for number in 0..<100 { #expect(try fixture.handle("\u{0}\(number)", of: 1) == nil) }
        for number in 0..<9 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(try fixture.handle("\u{1}b", of: 1) == 1)
    }

    @Test func aboveTheLimitOfAllTheLargestConnectionEndsAndTheSmallOnesStay() throws {
        var fixture = Fixture()
        for number in Int32(1)...20 { #expect(try fixture.handle("\u{1}a", of: number) == nil) }
        var ended: [Int32] = []
        for number in Int32(21)...40 {
            for prefix in 0..<9 {
                if let one = try fixture.handle("\u{1}\(prefix)", of: number) { ended.append(one) }
            }
        }
        #expect(!ended.isEmpty)
        #expect(ended.allSatisfy { $0 > 20 })
        #expect(fixture.accounts.count <= 80)
    }

    @Test func subscriptionsOfConnectionsThatHaveEndedDoNotCount() throws {
        var fixture = Fixture()
        for number in Int32(1)...8 {
            for prefix in 0..<10 { #expect(try fixture.handle("\u{1}\(prefix)", of: number) == nil) }
        }
        #expect(fixture.accounts.count == 80)
        for number in Int32(1)...8 { fixture.accounts.end(number, last: 8) }
        #expect((fixture.accounts.count, fixture.accounts.bytes) == (0, 0))
        #expect(try fixture.handle("\u{1}a", of: 9) == nil)
        #expect(fixture.accounts.count == 1)
    }

    @Test func unreadMessagesOfAnEndedConnectionDoNotCountForTheNextOneWithItsDescriptor() throws {
        var fixture = Fixture()
        #expect(try fixture.handle("\u{1}a", of: 1, number: 1) == nil)
        fixture.accounts.end(1, last: 1)
        for prefix in 0..<5 { #expect(try fixture.handle("\u{1}\(prefix)", of: 1, number: 2) == nil) }
        for prefix in 0..<100 { #expect(try fixture.handle("\u{1}late-\(prefix)", of: 1, number: 1) == nil) }
        #expect(fixture.accounts.count == 5)
    }
}

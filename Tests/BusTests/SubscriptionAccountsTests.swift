// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Bus

@Suite struct SubscriptionAccountsTests {
    /// Accounts with low limits; the number of a connection is that of its descriptor, if a test tells no other one.
    private struct Fixture {
        var accounts = SubscriptionAccounts(SubscriptionLimits(count: 10, bytes: 100, ofAll: 80))
        /// The address of each connection; nil if each has one of its own.
        var address: ((Int32) -> String)?
        var now = ContinuousClock.now

        /// Returns the descriptor of the connection that must end.
        mutating func handle(_ text: String, of descriptor: Int32, number: UInt64? = nil) throws -> Int32? {
            try excess(text, of: descriptor, number: number)?.connection.descriptor
        }

        mutating func excess(
            _ text: String,
            of descriptor: Int32,
            number: UInt64? = nil
        ) throws -> SubscriptionExcess? {
            let connection = SubscriptionAccounts.Connection(
                descriptor: descriptor,
                number: number ?? UInt64(descriptor)
            )
            func address(_ descriptor: Int32) -> String { self.address?(descriptor) ?? "host-\(descriptor)" }
            let frame = SubscriptionAccountsTests.frame(text)
            let excess = accounts.handle(frame, of: connection, at: address(descriptor), now: now)
            if let excess { #expect(excess.address == address(excess.connection.descriptor)) }
            return excess
        }
    }

    private var fixture = Fixture()

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

    @Test mutating func oneSubscriptionMoreThanTheLimitEndsTheConnection() throws {
        for number in 0..<10 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(try fixture.handle("\u{1}x", of: 1) == 1)
        #expect(fixture.accounts.use.count == 0)
        // The bus ignores further frames of the connection, and ends it once.
        for number in 0..<20 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(fixture.accounts.use.count == 0)
    }

    @Test mutating func oneByteMoreThanTheLimitEndsTheConnection() throws {
        #expect(try fixture.handle("\u{1}" + String(repeating: "a", count: 60), of: 1) == nil)
        #expect(try fixture.handle("\u{1}" + String(repeating: "b", count: 40), of: 1) == nil)
        #expect(try fixture.handle("\u{1}c", of: 1) == 1)
    }

    @Test mutating func repeatedSubscriptionsCountOnceAndEndedOnesDoNotCount() throws {
        for _ in 0..<100 { #expect(try fixture.handle("\u{1}a", of: 1) == nil) }
        #expect(fixture.accounts.use == SubscriptionAccount.Use(count: 1, bytes: 1))
        for number in 0..<100 {
            #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil)
            #expect(try fixture.handle("\u{0}\(number)", of: 1) == nil)
        }
        // An unsubscription from something else is no credit.
        for number in 0..<100 { #expect(try fixture.handle("\u{0}\(number)", of: 1) == nil) }
        for number in 0..<9 { #expect(try fixture.handle("\u{1}\(number)", of: 1) == nil) }
        #expect(try fixture.handle("\u{1}b", of: 1) == 1)
    }

    @Test mutating func tooManyFramesWithinASecondEndTheConnection() throws {
        /// Sends frames, one after another, until their connection must end; returns the number of frames.
        func send(_ texts: [String], of descriptor: Int32, atMost count: Int) throws -> Int {
            for number in 0..<count {
                guard let excess = try fixture.excess(texts[number % texts.count], of: descriptor) else { continue }
                #expect(excess.reason == .rate)
                return number
            }
            return count
        }
        let (repeats, frames) = (SubscriptionAccount.repeatsPerSecond, SubscriptionAccount.framesPerSecond)
        for _ in 0..<3 {
            #expect(try send(["\u{1}a"], of: 1, atMost: repeats) == repeats)
            fixture.now += .seconds(1)
        }
        #expect(try send(["\u{0}b", "\u{1}a"], of: 1, atMost: 2 * repeats) == repeats)
        #expect(fixture.accounts.use.count == 0)
        #expect(try send(["\u{1}a", "\u{0}a"], of: 2, atMost: 2 * frames) == frames)
    }

    @Test(arguments: ["", "\u{2}", "\u{2}prefix", "hello"])
    mutating func aFrameThatIsNoSubscriptionEndsItsConnectionAndTheNextOneIsIgnored(text: String) throws {
        #expect(try fixture.excess(text, of: 3)?.reason == .otherFrames)
        #expect(try fixture.handle("\u{1}a", of: 1) == nil)
        #expect(try fixture.handle("\u{1}a", of: 2) == nil)
        let excess = try #require(try fixture.excess(text, of: 1))
        #expect((excess.connection.descriptor, excess.reason) == (1, .otherFrames))
        // The second frame of a message that began otherwise.
        #expect(try fixture.handle("\u{1}prefix", of: 1) == nil)
        #expect(fixture.accounts.use == SubscriptionAccount.Use(count: 1, bytes: 1))
    }

    @Test mutating func manySmallConnectionsOfOneAddressDoNotEndALargerOneOfAnother() throws {
        fixture.address = { $0 == 1 ? "honest" : "many" }
        for prefix in 0..<10 { #expect(try fixture.handle("\u{1}\(prefix)", of: 1) == nil) }
        var ended: [Int32] = []
        for number in Int32(2)...100 {
            for prefix in 0..<3 { if let one = try fixture.handle("\u{1}\(prefix)", of: number) { ended.append(one) } }
        }
        #expect(!ended.isEmpty)
        #expect(!ended.contains(1))
        // The oldest ones of the address stay.
        #expect(ended.allSatisfy { $0 > 20 })
        #expect(fixture.accounts.use.count <= 80)
    }

    @Test mutating func ofConnectionsFromOneAddressTheLargestEndsAboveTheLimitOfAllAndSmallOnesStay() throws {
        fixture.address = { _ in "same" }
        for number in Int32(1)...9 {
            for prefix in 0..<8 { #expect(try fixture.handle("\u{1}\(prefix)", of: number) == nil) }
        }
        for prefix in 0..<8 { #expect(try fixture.handle("\u{1}\(prefix)", of: 10) == nil) }
        // Each service has few subscriptions, and must be able to connect again.
        for number in Int32(11)...20 { #expect(try fixture.handle("\u{1}a", of: number) == nil) }
        #expect(fixture.accounts.use.count == 90)
        let excess = try #require(try fixture.excess("\u{1}x", of: 3))
        #expect((excess.connection.descriptor, excess.reason) == (3, .limitsOfAll))
        #expect(try fixture.handle("\u{1}b", of: 12) == 10)
    }

    @Test mutating func aLackOfMemoryEndsConnectionsOfTheAddressesWithTheMostSubscriptions() throws {
        fixture.address = { $0 <= 4 ? "host-\($0)" : "many" }
        for number in Int32(1)...4 { #expect(try fixture.handle("\u{1}a", of: number) == nil) }
        #expect(fixture.accounts.release() == [])
        for number in Int32(5)...14 {
            for prefix in 0..<4 { #expect(try fixture.handle("\u{1}\(prefix)", of: number) == nil) }
        }
        #expect(fixture.accounts.release().map(\.connection.descriptor) == [14, 13, 12, 11, 10, 9])
        #expect(fixture.accounts.use.count == 20)
    }

    @Test mutating func aboveTheLimitOfAllTheLargestConnectionEndsAndTheSmallOnesStay() throws {
        for number in Int32(1)...20 { #expect(try fixture.handle("\u{1}a", of: number) == nil) }
        var ended: [Int32] = []
        for number in Int32(21)...40 {
            for prefix in 0..<9 { if let one = try fixture.handle("\u{1}\(prefix)", of: number) { ended.append(one) } }
        }
        #expect(!ended.isEmpty)
        #expect(ended.allSatisfy { $0 > 20 })
        #expect(fixture.accounts.use.count <= 80)
    }

    @Test mutating func subscriptionsOfConnectionsThatHaveEndedDoNotCount() throws {
        for number in Int32(1)...8 {
            for prefix in 0..<10 { #expect(try fixture.handle("\u{1}\(prefix)", of: number) == nil) }
        }
        #expect(fixture.accounts.use.count == 80)
        for number in Int32(1)...8 { fixture.accounts.end(number, last: 8) }
        #expect(fixture.accounts.use == SubscriptionAccount.Use())
        #expect(try fixture.handle("\u{1}a", of: 9) == nil)
        #expect(fixture.accounts.use.count == 1)
    }

    @Test mutating func unreadMessagesOfAnEndedConnectionDoNotCountForTheNextOneWithItsDescriptor() throws {
        #expect(try fixture.handle("\u{1}a", of: 1, number: 1) == nil)
        fixture.accounts.end(1, last: 1)
        for prefix in 0..<5 { #expect(try fixture.handle("\u{1}\(prefix)", of: 1, number: 2) == nil) }
        for prefix in 0..<100 { #expect(try fixture.handle("\u{1}late-\(prefix)", of: 1, number: 1) == nil) }
        #expect(fixture.accounts.use.count == 5)
    }
}

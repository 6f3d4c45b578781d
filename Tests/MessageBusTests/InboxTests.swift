// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct InboxTests {
    private static func makeInbox(count: Int = 10, bytes: Int = 100) -> Inbox<Int> {
        Inbox(maximumCount: count, maximumBytes: bytes)
    }

    @Test func elementsComeInOrderAndInBatches() {
        let inbox = Self.makeInbox()
        for number in 0..<5 { inbox.post(number) }
        #expect(inbox.nextBatch(maximum: 3, until: nil) == [0, 1, 2])
        inbox.post(5)
        #expect(inbox.nextBatch(maximum: 10, until: nil) == [3, 4, 5])
        #expect(inbox.nextBatch(maximum: 10, until: .now) == [])
    }

    @Test func offersAreRefusedBeyondTheLimitsAndPostsAreNot() {
        let inbox = Self.makeInbox(count: 2, bytes: 10)
        #expect(inbox.offer(1, bytes: 6))
        #expect(!inbox.offer(2, bytes: 5))
        #expect(inbox.offer(3, bytes: 4))
        #expect(!inbox.offer(4, bytes: 0))
        inbox.post(5)
        #expect(inbox.nextBatch(maximum: 10, until: nil) == [1, 3, 5])
        #expect(inbox.offer(6, bytes: 10))
    }

    @Test func aThreadIsWokenByAPost() async throws {
        let inbox = Self.makeInbox()
        async let batch = onOwnThread { inbox.nextBatch(maximum: 10, until: .now + .seconds(40)) }
        inbox.post(7)
        #expect(try await batch == [7])
    }

    @Test func aThreadIsWokenByTheDeadline() async throws {
        let inbox = Self.makeInbox()
        #expect(try await onOwnThread { inbox.nextBatch(maximum: 10, until: .now + .milliseconds(20)) } == [])
        inbox.post(1)
        #expect(try await onOwnThread { inbox.nextBatch(maximum: 10, until: .now + .seconds(40)) } == [1])
    }

    @Test func theEndWakesAReaderAndRefusesWriters() async throws {
        let inbox = Self.makeInbox()
        async let batch = onOwnThread { inbox.nextBatch(maximum: 10, until: nil) }
        inbox.finish()
        #expect(try await batch == [])
        inbox.post(1)
        #expect(inbox.nextBatch(maximum: 10, until: nil) == [])
        #expect(await inbox.next() == nil)
    }

    @Test func whatCameBeforeTheEndIsStillRead() async throws {
        let inbox = Self.makeInbox()
        inbox.post(1)
        inbox.finish()
        #expect(await inbox.next() == 1)
        #expect(await inbox.next() == nil)
    }

    @Test func aTaskIsWokenByAPostAndByItsCancellation() async throws {
        let inbox = Self.makeInbox()
        let reader = Task { await inbox.next() }
        inbox.post(1)
        #expect(await reader.value == 1)
        let cancelled = Task { await inbox.next() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }

    @Test func eachOfSeveralWaitingTasksGetsAnElement() async throws {
        let inbox = Self.makeInbox()
        let readers = (0..<3).map { _ in Task { await inbox.next() } }
        for number in 1...3 { inbox.post(number) }
        var sum = 0
        for reader in readers { sum += try #require(await reader.value) }
        #expect(sum == 6)
    }

    @Test func theEndWakesAllReaders() async throws {
        let inbox = Self.makeInbox()
        let tasks = (0..<3).map { _ in Task { await inbox.next() } }
        async let first = onOwnThread { inbox.nextBatch(maximum: 1, until: nil) }
        async let second = onOwnThread { inbox.nextBatch(maximum: 1, until: nil) }
        inbox.finish()
        for task in tasks { #expect(await task.value == nil) }
        #expect(try await first == [])
        #expect(try await second == [])
    }

    @Test func aCancelledReaderLeavesItsElementToAnother() async throws {
        for _ in 0..<100 {
            let inbox = Self.makeInbox()
            let cancelled = Task { await inbox.next() }
            let other = Task { await inbox.next() }
            inbox.post(1)
            cancelled.cancel()
            inbox.post(2)
            if await cancelled.value == nil { inbox.post(3) }
            #expect(await other.value != nil)
        }
    }

    @Test func droppedElementsAreNotRead() {
        let inbox = Self.makeInbox()
        inbox.post(1)
        inbox.finish(dropsElements: true)
        #expect(inbox.nextBatch(maximum: 10, until: nil) == [])
    }

    @Test func nothingIsLostBetweenManyWritersAndOneReader() async throws {
        let inbox = Self.makeInbox()
        let (writers, each) = (4, 5000)
        async let sum = onOwnThread {
            var (sum, count) = (0, 0)
            while count < writers * each {
                let batch = inbox.nextBatch(maximum: 100, until: nil)
                sum += batch.reduce(0, +)
                count += batch.count
            }
            return sum
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<writers { group.addTask { for number in 0..<each { inbox.post(number) } } }
        }
        #expect(try await sum == writers * each * (each - 1) / 2)
    }
}

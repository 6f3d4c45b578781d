// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import TestSupport
import Testing

@testable import MessageBus

@Suite(.timeLimit(.minutes(3)))
struct PollSetTests {
    /// Two connected sockets, which one thread uses.
    private struct Pair: ~Copyable {
        let first: ZeroMQSocket
        let second: ZeroMQSocket
        var poll = PollSet()
        let index: PollSet.Index
        var frames = FrameBuffer()

        /// Connects the sockets; only the first one is in the set.
        init() throws {
            let context = try ZeroMQContext()
            let first = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
            let second = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
            let endpoint = try first.bind(to: .tcp(host: "127.0.0.1", port: 0), maximumFrame: 1000)
            var room = PollSet()
            let index = room.add(second)
            room.waitForRoom(index, true)
            try second.connect(to: endpoint)
            try room.wait(milliseconds: 20_000)
            self.index = poll.add(first)
            self.first = consume first
            self.second = consume second
        }

        func send(_ text: String, from socket: borrowing ZeroMQSocket) throws {
            let sending = try socket.send([Data(text.utf8)])
            #expect(sending == .sent)
        }

        /// Returns the next message of the first socket, if one has arrived.
        mutating func next() throws -> String? {
            guard try frames.receive(from: first) else { return nil }
            return String(decoding: frames.data(0), as: UTF8.self)
        }

        /// Waits until a message ends the wait, and expects it to be the only one.
        mutating func expectOnly(_ text: String) throws {
            try expect(text)
            let more = try next()
            #expect(more == nil)
        }

        mutating func expect(_ text: String) throws {
            let found = try wait()
            #expect(found == text)
        }

        /// Waits until a message ends the wait, and returns it.
        mutating func wait() throws -> String? {
            try poll.wait(milliseconds: 20_000)
            guard poll.canRead(index) else { throw DidNotArrive("a message") }
            return try next()
        }

        /// A Boolean value that indicates whether the first socket's descriptor becomes readable in this time.
        func hasCommands(milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: first.descriptor, events: Int16(POLLIN), revents: 0)
            return Glibc.poll(&entry, 1, milliseconds) == 1
        }
    }

    @Test func aMessageWhoseCommandASendHasTakenEndsTheWait() async throws {
        try await onOwnThread {
            var pair = try Pair()
            try pair.send("hello", from: pair.second)
            try pair.expectOnly("hello")
            for number in 0..<20 {
                try pair.send("\(number)", from: pair.second)
                let hasArrived = pair.hasCommands(milliseconds: 20_000)
                #expect(hasArrived)
                // libzmq takes commands during a send, but not during each one.
                let end = ContinuousClock.now + .seconds(20)
                while pair.hasCommands(milliseconds: 0), ContinuousClock.now < end {
                    try pair.send("back", from: pair.first)
                }
                let hasCommands = pair.hasCommands(milliseconds: 0)
                #expect(!hasCommands)
                try pair.expectOnly("\(number)")
            }
        }
    }

    @Test func aMessageThatWasLeftUnreadEndsTheNextWait() async throws {
        try await onOwnThread {
            var pair = try Pair()
            for text in ["one", "two", "three"] { try pair.send(text, from: pair.second) }
            try pair.expect("one")
            try pair.expect("two")
            // Two waits without a read in between.
            try pair.poll.wait(milliseconds: 20_000)
            try pair.expectOnly("three")
            try pair.poll.wait(milliseconds: 0)
            let canRead = pair.poll.canRead(pair.index)
            #expect(!canRead)
        }
    }

    @Test func aFlagIsSeenBesideASocketThatIsAlwaysReadable() async throws {
        try await onOwnThread {
            var pair = try Pair()
            let flag = try EventFlag()
            let index = pair.poll.add(flag)
            try pair.send("unread", from: pair.second)
            try pair.poll.wait(milliseconds: 20_000)
            let early = (pair.poll.canRead(pair.index), pair.poll.canRead(index))
            #expect(early == (true, false))
            flag.raise()
            try pair.poll.wait(milliseconds: 20_000)
            let late = (pair.poll.canRead(pair.index), pair.poll.canRead(index))
            #expect(late == (true, true))
        }
    }

    @Test func aCommandWithoutAnEventDoesNotEndTheWait() async throws {
        try await onOwnThread {
            let context = try ZeroMQContext()
            let first = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
            let endpoint = try first.bind(to: .tcp(host: "127.0.0.1", port: 0), maximumFrame: 1000)
            var poll = PollSet()
            let index = poll.add(first)
            try poll.wait(milliseconds: 0)
            let second = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
            try second.connect(to: endpoint)
            let begun = ContinuousClock.now
            // The peer that connects causes a command, but no message.
            try poll.wait(milliseconds: 300)
            #expect(ContinuousClock.now - begun >= .milliseconds(299))
            let canRead = poll.canRead(index)
            #expect(!canRead)
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import Testing
import WidgetSchema

@testable import MessageBus

/// The descriptors of libzmq's sockets are edge-triggered: a message must end a wait even if its signal was taken before.
@Suite(.timeLimit(.minutes(1))) struct PollSetTests {
    private static let endpoint = Endpoint.tcp(host: "127.0.0.1", port: 0)

    private static func send(_ frames: [Data], to socket: borrowing ZeroMQSocket) throws {
        let result = try socket.send(frames)
        #expect(result == .sent)
    }

    private static func receive(
        _ frames: inout FrameBuffer,
        from socket: borrowing ZeroMQSocket,
        expected: Bool = true
    ) throws {
        let received = try frames.receive(from: socket)
        #expect(received == expected)
    }

    /// Returns a Boolean value that indicates whether the socket's descriptor is ready within a time.
    private static func isSignalled(_ socket: borrowing ZeroMQSocket, milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&descriptor, 1, milliseconds) == 1
    }

    private static func expect(_ index: PollSet.Index, in poll: borrowing PollSet, canRead: Bool) {
        let canReadNow = poll.canRead(index)
        #expect(canReadNow == canRead)
    }

    @Test func aMessageWhoseSignalASendHasTakenEndsTheNextWait() throws {
        let context = try ZeroMQContext()
        let router = try ZeroMQSocket(.router, in: context, settings: SocketSettings())
        let dealer = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
        let address = try router.bind(to: Self.endpoint, maximumFrame: 1024)
        var poll = PollSet()
        let ofDealer = poll.add(dealer)
        var atRouter = PollSet()
        _ = atRouter.add(router)
        poll.waitForRoom(ofDealer, true)
        try dealer.connect(to: address)
        try poll.wait(milliseconds: 20_000)
        poll.waitForRoom(ofDealer, false)

        var frames = FrameBuffer()
        try Self.send([Data("hello".utf8)], to: dealer)
        try atRouter.wait(milliseconds: 20_000)
        try Self.receive(&frames, from: router)
        let route = frames.data(0)
        try Self.receive(&frames, from: dealer, expected: false)
        for round in 0..<20 {
            try Self.send([route, Data("\(round)".utf8)], to: router)
            let isSignalled = Self.isSignalled(dealer, milliseconds: 20_000)
            try #require(isSignalled)
            // libzmq takes the signal during a send if it has not looked for one for a while.
            repeat { try Self.send([Data("x".utf8)], to: dealer) } while Self.isSignalled(dealer, milliseconds: 0)
            try poll.wait(milliseconds: 20_000)
            Self.expect(ofDealer, in: poll, canRead: true)
            try Self.receive(&frames, from: dealer)
            try Self.receive(&frames, from: dealer, expected: false)
            // Empties the router's queue, so that it does not reach its limit.
            while try frames.receive(from: router) {}
        }
    }

    @Test func messagesThatWereNotReadEndEachFurtherWait() throws {
        let context = try ZeroMQContext()
        let router = try ZeroMQSocket(.router, in: context, settings: SocketSettings())
        let dealer = try ZeroMQSocket(.dealer, in: context, settings: SocketSettings())
        try dealer.connect(to: try router.bind(to: Self.endpoint, maximumFrame: 1024))
        var poll = PollSet()
        let index = poll.add(router)
        var room = PollSet()
        room.waitForRoom(room.add(dealer), true)
        try room.wait(milliseconds: 20_000)
        for _ in 0..<3 { try Self.send([Data("x".utf8)], to: dealer) }
        var frames = FrameBuffer()
        for _ in 0..<3 {
            try poll.wait(milliseconds: 20_000)
            Self.expect(index, in: poll, canRead: true)
            try Self.receive(&frames, from: router)
        }
        try poll.wait(milliseconds: 0)
        Self.expect(index, in: poll, canRead: false)
    }

    @Test func aQuietListenerPingsBeforeItsPeerEndsTheConnection() {
        #expect(SocketSettings.listener.peerTimeout > SocketSettings.listener.heartbeatInterval)
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Testing
import WidgetSchema

@testable import Gateway

/// Tests of event streams that follow boards.
@Suite struct BoardEventTests {
    private let world: BoardWorld
    private let filter: EventFilter

    init() throws {
        world = try BoardWorld()
        filter = EventFilter(boards: [try #require(BoardID(rawValue: "kitchen"))])
    }

    /// Returns whether a reader of the board gets the next update of a widget.
    private func isSent(_ widget: String, _ sequence: UInt64) throws -> Bool {
        let update = try world.update(widget, sequence)
        return filter.wants(RingUpdate(update, changedBoards: world.gateway.view.take(update)))
    }

    @Test func aReaderOfABoardGetsTheUpdatesThatChangeIt() throws {
        #expect(try !isSent("news", 10))
        #expect(try !isSent("weather", 10))
        #expect(try isSent("home", 10))
        #expect(try isSent("news", 20))
        #expect(try !isSent("unknown", 20))
    }

    @Test func aReaderOfABoardWithoutAHeaderGetsNoUpdateThatLooksTheSame() throws {
        let world = try BoardWorld(BoardWorld.text("none"))
        for widget in BoardWorld.widgets { try world.publish(widget, 10) }
        let same = try world.update("news", 11)
        #expect(!filter.wants(RingUpdate(same, changedBoards: world.gateway.view.take(same))))
        let other = try world.update("news", 20)
        #expect(filter.wants(RingUpdate(other, changedBoards: world.gateway.view.take(other))))
    }

    @Test func aReplayOfWhatASnapshotContainedMayHaveChangedItsBoards() throws {
        for widget in BoardWorld.widgets { try world.publish(widget, 10) }
        #expect(try isSent("news", 10))
        #expect(try isSent("news", 9))
        #expect(try !isSent("unknown", 20))
    }

    @Test func aWidgetThatLeavesABoardIsSentToItsReaders() throws {
        let update = try world.update("unknown", 20)
        #expect(filter.wants(RingUpdate(update, changedBoards: filter.boards)))
    }

    @Test func anUpdateOfTheNotifiersBacklogCountsAsAChangeOfItsBoards() throws {
        #expect(filter.wants(RingUpdate(try world.update("news", 10))))
        #expect(!filter.wants(RingUpdate(try world.update("unknown", 10))))
    }
}

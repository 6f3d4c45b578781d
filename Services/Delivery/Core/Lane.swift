// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import WidgetSchema

/// The place of a lane: a destination, and a widget or board whose messages go to it one after another.
struct LaneKey: Hashable, Comparable, Sendable {
    var destination: DestinationName
    var subject: DeliverySubject

    static func < (left: LaneKey, right: LaneKey) -> Bool {
        (left.destination, left.subject) < (right.destination, right.subject)
    }
}

/// The content of a message: an update, or several of which the last one is sent.
struct MessageContent: Codable, Hashable, Sendable {
    /// The first cycle that the content covers; zero for a board.
    var first: SequenceNumber
    /// The last cycle that the content covers; for a board, the highest number of its cells.
    var last: SequenceNumber
    /// The displays that changed since the last message.
    var changed: [DisplayName]
    @OmittedIfDefault var isHigh: Bool
    @OmittedIfDefault var isRemoval = false
    /// A Boolean value that indicates whether the content has not changed since it was last sent.
    @OmittedIfDefault var isState = false
    /// A Boolean value that indicates whether the content covers more changes or cycles than its event says.
    @OmittedIfDefault var isMerged = false
    /// The digests of the displays; empty for a board.
    var digests: [DisplayName: ContentDigest]
    /// The digest of a board; nil for a widget.
    var boardDigest: ContentDigest?
    /// The JSON of the event as it was received; it is stored besides the record.
    var json = Data()

    private enum CodingKeys: String, CodingKey {
        case first, last, changed, isHigh, isRemoval, isState, isMerged, digests, boardDigest
    }

    init(
        first: SequenceNumber,
        last: SequenceNumber,
        changed: [DisplayName],
        isHigh: Bool,
        digests: [DisplayName: ContentDigest],
        boardDigest: ContentDigest? = nil,
        json: Data
    ) {
        self.first = first
        self.last = last
        self.changed = changed
        self.isHigh = isHigh
        self.digests = digests
        self.boardDigest = boardDigest
        self.json = json
    }

    /// Creates the content of an update with all displays.
    init(_ update: StreamedUpdate) {
        let data = update.event.data
        self.init(
            first: update.range.first,
            last: update.range.sequence,
            changed: data.changed,
            isHigh: false,
            digests: data.displays.mapValues(\.digest),
            json: update.json
        )
        isRemoval = update.isRemoval
    }

    /// Creates the content of an update for a destination; `whole` is the same content with all displays.
    init(_ update: StreamedUpdate, _ whole: MessageContent? = nil, for destination: DestinationPlan) {
        self = whole ?? MessageContent(update)
        isHigh = destination.isHighPriority(update.event.data, of: update.widget)
        if let wanted = destination.filter.displays { digests = digests.filter { wanted.contains($0.key) } }
    }

    /// Takes over what an earlier content covers, which is not sent on its own.
    mutating func merge(_ earlier: MessageContent) {
        first = min(first, earlier.first)
        isMerged = true
        isHigh = isHigh || earlier.isHigh
        isState = isState && earlier.isState
        let known = Set(changed)
        changed = (changed + earlier.changed.filter { !known.contains($0) && digests[$0] != nil }).sorted()
    }
}

/// A message that is sent until the destination accepts or rejects it.
struct Message: Codable, Hashable, Sendable {
    /// The hash of destination and body.
    var id: String
    var content: MessageContent
    /// The number of attempts that have begun.
    var attempts = 0
    var nextAttempt: Instant
    /// A Boolean value that indicates whether an attempt has begun whose result is not committed.
    @OmittedIfDefault var isOpen = false
    /// A Boolean value that indicates whether the destination may have accepted it: it is sent again with the same bytes.
    @OmittedIfDefault var mayHaveArrived = false
    /// A Boolean value that indicates whether the result of the last attempt is unknown.
    @OmittedIfDefault var isUnknown = false
    /// The entry of the last attempt in the ledger, which would be wrong if this attempt did not arrive; nil if there is none.
    var spent: Instant?
    /// The reason why the last attempt failed; nil if none failed.
    var problem: String?
    /// The bytes that are sent; they are stored besides the record.
    var body = Data()

    private enum CodingKeys: String, CodingKey {
        case id, content, attempts, nextAttempt, isOpen, mayHaveArrived, isUnknown, spent, problem
    }

    init(id: String, content: MessageContent, nextAttempt: Instant, body: Data) {
        self.id = id
        self.content = content
        self.nextAttempt = nextAttempt
        self.body = body
    }

    /// Notes that the last attempt may have arrived: its entry stays in the ledger, and the next attempt adds another one.
    mutating func becomeUnknown() {
        mayHaveArrived = true
        spent = nil
    }
}

/// The stored state of a lane.
struct LaneRecord: Codable, Hashable, Sendable {
    /// The last cycle that the destination got or rejected.
    var done: SequenceNumber = .zero
    /// The last cycle that the destination should get.
    var wanted: SequenceNumber = .zero
    /// The digests that the destination knows; nil before its first message.
    var digests: [DisplayName: ContentDigest]?
    /// The digest of the board that the destination knows; nil before it is known, and for widgets.
    var boardDigest: ContentDigest?
    var message: Message?
    /// The newest content that waits, of a destination that gets the latest.
    ///
    /// Of one that gets every update, the state after a new epoch or a restore, which comes before the others.
    var pending: MessageContent?
    /// The last pause after a failed attempt, in milliseconds; zero after a success.
    @OmittedIfDefault var pauseMilliseconds: Int64 = 0
    /// The time of the first of the failures in a row; nil if the last attempt succeeded.
    var failingSince: Instant?
    /// A Boolean value that indicates whether updates wait that are not stored; they are requested after a start.
    ///
    /// It is set when the record is stored; see ``Lane/stored``.
    @OmittedIfDefault var hasMore = false
    @OmittedIfDefault var ledger = BudgetLedger()
    @OmittedIfDefault var history = FinishedMessages()
}

/// The state of a lane.
struct Lane: Sendable {
    var record = LaneRecord()
    /// The updates that wait, of a destination that gets every one; the first ones only if ``hasMore`` is true.
    var queue: [MessageContent] = []
    /// A Boolean value that indicates whether more updates wait than ``queue`` has.
    var hasMore = false
    /// The server to which an attempt is in flight; nil if there is none.
    var server: String?
    /// The number of the request for missed updates whose answer is awaited; nil if there is none.
    var replay: UInt64?
    /// A Boolean value that indicates whether an update has arrived since the request ``replay`` was sent.
    var hasNewer = false
    /// The offset of the last update that the lane has requested itself, to which the stream may not have come; nil before.
    var ahead: StreamOffset?
    /// The time at which the device of the attempt in flight had registered; nil for other destinations.
    var registered: Instant?
    /// The address of the destination when the last attempt began; nil before.
    var fingerprint: String?
    /// Two Boolean values that indicate whether the sums of the report count the lane as waiting, and as failing.
    var isCounted = (waiting: false, failing: false)
    /// A Boolean value that indicates whether the lane is in the queue of its server.
    var isReady = false
    /// The time at which the lane has work to do; nil if there is none.
    var timer: Instant?
    /// The subject of the push in flight that reloads this widget, too, and shows what waits; nil if there is none.
    var coveringPush: DeliverySubject?
    /// The part of the ledger in the sums of the report.
    var share = LedgerShare()

    var isInFlight: Bool { server != nil }
    /// A Boolean value that indicates whether a message or content is not yet delivered.
    var isWaiting: Bool { record.message != nil || next != nil || hasMore }

    /// The record as it is stored now.
    var stored: LaneRecord {
        var record = record
        record.hasMore = hasMore || !queue.isEmpty
        return record
    }

    /// The content of the next message; nil if none waits.
    var next: MessageContent? { record.pending ?? queue.first }

    /// Forgets what waits, after the destination has stopped to follow the subject; an attempt in flight goes on.
    mutating func stopWaiting() {
        record.pending = nil
        dropQueue()
        if !isInFlight {
            // The destination may show what this message said.
            if record.message?.mayHaveArrived == true { record.digests = nil }
            record.dropMessage()
        }
        record.wanted = record.message?.content.last ?? record.done
    }
}

extension Lane {
    /// Forgets the updates that wait in order.
    mutating func dropQueue() { (queue, hasMore, replay) = ([], false, nil) }

    /// Keeps the last one of the updates that wait in order, after the mode of a destination has become `latest`.
    ///
    /// Further ones are still requested: the newest may be among them.
    mutating func becomeLatest() {
        // A message may have begun since the updates were requested.
        let newest = record.pending?.last ?? record.message?.content.last ?? .zero
        if let last = queue.last, last.last > newest { record.pending = last }
        queue = []
    }
}

extension LaneRecord {
    /// A Boolean value that indicates whether the destination has not got the last cycle that it should get.
    var isMissingMessage: Bool { wanted > done }

    /// Drops the message that waits for another attempt; its failures are no longer a problem.
    mutating func dropMessage() {
        message = nil
        failingSince = nil
        pauseMilliseconds = 0
    }

    /// Moves all times with the wall clock.
    mutating func shift(by change: Duration) {
        ledger.shift(by: change)
        failingSince = failingSince?.advanced(by: change)
        if let next = message?.nextAttempt { message?.nextAttempt = next.advanced(by: change) }
        if let spent = message?.spent { message?.spent = spent.advanced(by: change) }
    }
}

/// The stored state of a destination.
struct DestinationRecord: Codable, Hashable, Sendable {
    struct Counts: Codable, Hashable, Sendable {
        var delivered = 0
        var noData = 0
        var merged = 0
    }

    var fingerprint: String
    /// The reason why the destination no longer exists; nil if it does.
    var gone: String?
    /// The end of the pause that the destination asked for; nil if there is none.
    var blockedUntil: Instant?
    var counts = Counts()
    /// The messages of all widgets; nil before the first one, and if each widget has a budget of its own.
    var ledger: BudgetLedger?
}

extension DestinationRecord {
    /// Moves all times with the wall clock.
    mutating func shift(by change: Duration) {
        blockedUntil = blockedUntil?.advanced(by: change)
        ledger?.shift(by: change)
    }
}

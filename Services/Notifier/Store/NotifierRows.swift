// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import WidgetSchema

/// The decoder of the rows of the notifier's tables.
struct NotifierRows {
    /// The path of the database, for errors; nil while a copy is checked.
    var path: String?

    /// The bit in the column `had_content` that is set if `WidgetState.showedContent` is true.
    static let contentBit: Int64 = 1
    /// The bit in the column `had_content` that is set if `WidgetState.wasHidden` is true.
    static let hiddenBit: Int64 = 2

    static let positionColumns = [
        "id", "sequence", "last_new_data", "had_content", "digests", "COALESCE(changed, '{}')", "committed",
        "announced",
    ]

    /// Returns a widget and its position from a row with `positionColumns` of the table `widget`.
    func position(_ row: borrowing Row) throws -> (WidgetID, WidgetPosition) {
        let id = try row.text(0)
        let digests: [DisplayName: ContentDigest] = try decode(try row.text(4), of: id)
        let changed: [DisplayName: Instant] = try decode(try row.text(5), of: id)
        var displays: [DisplayName: ShownDisplay] = [:]
        for (name, digest) in digests { displays[name] = ShownDisplay(digest: digest, changed: changed[name]) }
        let state = WidgetState(
            displays: displays,
            showedContent: try row.integer(3) & Self.contentBit != 0,
            announced: try row.optionalText(7).map { try decode($0, of: id) },
            wasHidden: try row.integer(3) & Self.hiddenBit != 0,
            lastNewData: try row.optionalUnsigned(2).map { SequenceNumber($0) },
            committed: try row.optionalInteger(6).map { Instant(milliseconds: $0) }
        )
        return (try widget(id), WidgetPosition(sequence: SequenceNumber(try row.unsigned(1)), state: state))
    }

    static let updateColumns = ["first", "sequence", "result", "event", "stream_offset"]

    /// Returns an update from a row that begins with `updateColumns` of the table `widget_update`.
    func update(_ row: borrowing Row, of widget: WidgetID) throws -> StoredUpdate {
        let first = SequenceNumber(try row.unsigned(0))
        let last = SequenceNumber(try row.unsigned(1))
        guard let range = SequenceRange(first: first, sequence: last),
            let result = UpdateResult(rawValue: try row.text(2))
        else {
            throw unreadable(
                widget.rawValue,
                "the sequence numbers \(first) to \(last) are not a valid range, or the result of the update is unknown"
            )
        }
        return StoredUpdate(
            widget: widget,
            range: range,
            result: result,
            offset: UInt64(clamping: try row.integer(4)),
            event: try row.blob(3)
        )
    }

    func widget(_ text: String) throws -> WidgetID {
        guard let widget = WidgetID(rawValue: text) else { throw unreadable(text, WidgetID.rule) }
        return widget
    }

    private func decode<Value: Decodable>(_ json: String, of widget: String) throws -> Value {
        do {
            return try WireJSON.decode(Value.self, from: Data(json.utf8))
        } catch {
            throw unreadable(widget, error.description)
        }
    }

    func unreadable(_ widget: String, _ problem: String) -> NotifierStoreError {
        NotifierStoreError(path: path, widget: widget, problem: problem)
    }
}

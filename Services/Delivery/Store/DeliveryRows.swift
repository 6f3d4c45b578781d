// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import Storage
import WidgetSchema

/// The rows of the service's tables.
enum DeliveryRows {
    /// Returns the position and the time of the last restore, each nil if there is none.
    static func stream(_ row: borrowing Row) throws -> (StreamOffset?, BudgetLedger.Restored?) {
        var position: StreamOffset?
        if let text = try row.optionalText(0) {
            guard let epoch = StreamEpoch(rawValue: text) else {
                throw CorruptStore(column: "delivery_stream.epoch", problem: StreamEpoch.rule)
            }
            position = StreamOffset(epoch: epoch, number: try row.optionalUnsigned(1) ?? 0)
        }
        return (position, try row.optionalInteger(2).map { BudgetLedger.Restored(at: Instant(milliseconds: $0)) })
    }

    static func widget(_ row: borrowing Row) throws -> (WidgetID, SequenceNumber) {
        guard let id = WidgetID(rawValue: try row.text(0)) else {
            throw CorruptStore(column: "delivery_widget.widget", problem: WidgetID.rule)
        }
        return (id, SequenceNumber(try row.unsigned(1)))
    }

    static func destination(_ row: borrowing Row) throws -> (DestinationName, DestinationRecord) {
        (
            try name(try row.text(0), column: "delivery_destination.name"),
            try decode(try row.blob(1), column: "delivery_destination.record")
        )
    }

    static func lane(_ row: borrowing Row) throws -> (LaneKey, LaneRecord) {
        guard let subject = DeliverySubject(try row.text(1)) else {
            throw CorruptStore(column: "delivery_lane.subject", problem: "it is neither widget/ID nor board/ID")
        }
        let key = LaneKey(
            destination: try name(try row.text(0), column: "delivery_lane.destination"),
            subject: subject
        )
        var record: LaneRecord = try decode(try row.blob(2), column: "delivery_lane.record")
        let (body, pending) = (try row.optionalBlob(3), try row.optionalBlob(4))
        guard (record.message == nil) == (body == nil), (record.pending == nil) == (pending == nil) else {
            throw CorruptStore(column: "delivery_lane.body", problem: "a message and its bytes must be there together")
        }
        record.message?.body = body ?? Data()
        record.pending?.json = pending ?? Data()
        return (key, record)
    }

    static func device(_ row: borrowing Row) throws -> Device {
        let device: Device = try decode(try row.blob(1), column: "delivery_device.record")
        guard device.id.rawValue == (try row.text(0)) else {
            throw CorruptStore(column: "delivery_device.id", problem: "it differs from the id in the record")
        }
        return device
    }

    /// Returns a private key, by the name that the statement asks for.
    static func key(_ row: borrowing Row) throws -> P256PrivateKey {
        guard let key = P256PrivateKey(scalar: Array(try row.blob(0))) else {
            throw CorruptStore(column: "delivery_key.scalar", problem: "it is no private key of P-256")
        }
        return key
    }

    private static func name(_ text: String, column: String) throws -> DestinationName {
        guard let name = DestinationName(rawValue: text) else {
            throw CorruptStore(column: column, problem: DestinationName.rule)
        }
        return name
    }

    private static func decode<Value: Decodable>(_ json: Data, column: String) throws -> Value {
        do {
            return try WireJSON.decode(Value.self, from: json)
        } catch {
            throw CorruptStore(column: column, problem: "\(error)")
        }
    }

    /// The values of the statements of a transaction.
    struct Sets {
        private var positions: [[SQLValue]] = []
        private var restores: [[SQLValue]] = []
        private var widgets: [[SQLValue]] = []
        private var removedWidgets: [[SQLValue]] = []
        private var destinations: [[SQLValue]] = []
        private var removedDestinations: [[SQLValue]] = []
        private var lanes: [[SQLValue]] = []
        private var removedLanes: [[SQLValue]] = []
        private var devices: [[SQLValue]] = []
        private var removedDevices: [[SQLValue]] = []

        mutating func add(_ write: DeliveryWrite) throws {
            switch write {
            case .position(let position):
                // Only the last one counts.
                positions = [[.text(position?.epoch.rawValue), .unsigned(position?.number)]]
            case .restored(let time): restores = [[.integer(time.milliseconds)]]
            case .widget(let widget, let sequence?):
                widgets.append([.text(widget.rawValue), .unsigned(sequence.number)])
            case .widget(let widget, nil): removedWidgets.append([.text(widget.rawValue)])
            case .destination(let name, let record?):
                destinations.append([.text(name.rawValue), .blob(try WireJSON.encode(record))])
            case .destination(let name, nil): removedDestinations.append([.text(name.rawValue)])
            case .lane(let key, let record?):
                lanes.append([
                    .text(key.destination.rawValue), .text(key.subject.description),
                    .blob(try WireJSON.encode(record)), .blob(record.message?.body), .blob(record.pending?.json),
                ])
            case .lane(let key, nil):
                removedLanes.append([.text(key.destination.rawValue), .text(key.subject.description)])
            case .device(let id, let device?):
                // A device that was removed before has come again in this transaction.
                removedDevices.removeAll { $0 == [.text(id.rawValue)] }
                devices.append([.text(id.rawValue), .blob(try WireJSON.encode(device))])
            case .device(let id, nil): removedDevices.append([.text(id.rawValue)])
            }
        }

        /// The statements, each with the values of its runs.
        var all: [(statement: String, sets: [[SQLValue]])] {
            [
                (
                    """
                    INSERT INTO delivery_stream (id, epoch, position) VALUES (1, $1, $2)
                    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, position = excluded.position
                    """, positions
                ),
                (
                    """
                    INSERT INTO delivery_stream (id, restored) VALUES (1, $1)
                    ON CONFLICT (id) DO UPDATE SET restored = excluded.restored
                    """, restores
                ),
                ("DELETE FROM delivery_widget WHERE widget = $1", removedWidgets),
                (
                    """
                    INSERT INTO delivery_widget (widget, sequence) VALUES ($1, $2)
                    ON CONFLICT (widget) DO UPDATE SET sequence = excluded.sequence
                    """, widgets
                ),
                ("DELETE FROM delivery_destination WHERE name = $1", removedDestinations),
                (
                    """
                    INSERT INTO delivery_destination (name, record) VALUES ($1, $2)
                    ON CONFLICT (name) DO UPDATE SET record = excluded.record
                    """, destinations
                ),
                ("DELETE FROM delivery_lane WHERE destination = $1 AND subject = $2", removedLanes),
                (
                    """
                    INSERT INTO delivery_lane (destination, subject, record, body, pending) VALUES ($1, $2, $3, $4, $5)
                    ON CONFLICT (destination, subject) DO UPDATE SET record = excluded.record, body = excluded.body,
                        pending = excluded.pending
                    """, lanes
                ),
                (
                    """
                    INSERT INTO delivery_device (id, record) VALUES ($1, $2)
                    ON CONFLICT (id) DO UPDATE SET record = excluded.record
                    """, devices
                ),
                ("DELETE FROM delivery_device WHERE id = $1", removedDevices),
            ]
        }
    }
}

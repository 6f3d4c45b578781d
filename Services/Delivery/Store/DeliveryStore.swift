// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import ServiceRuntime
import Storage
import Telemetry
import WidgetSchema

/// The store of the service: positions, destinations and lanes, in its own database.
final class DeliveryStore: DatabaseStore {
    let database: FencedDatabase
    private let log: Logger
    /// The key with which this installation identifies itself to push services; nil before the first load.
    private(set) var pushKey: P256PrivateKey?

    /// Opens the database, or creates it if it is missing, and becomes its owner.
    init(_ location: StoreLocation, opening: StoreOpening = StoreOpening(), log: Logger = .discarded) throws {
        self.log = log
        database = try FencedDatabase(location, Self.schema, opening: opening, log: log)
    }

    var reader: Void { () }

    func load() throws(StoreFailure) -> DeliveryState {
        try StoreFailure.classifying {
            try database.checkOwnership()
            var state = DeliveryState()
            if database.wasRestored {
                log.warning("The store was replaced by an older copy, for example a backup.", [.path: database.path])
                // Messages since the backup are not in the ledgers, so the time of the restore is kept for a day. Without
                // the position, also a process after this one begins with the states of all widgets.
                try database.transaction { transaction in
                    try database.acceptRestore(in: transaction)
                    try transaction.execute(
                        """
                        INSERT INTO delivery_stream (id, restored) VALUES (1, $1)
                        ON CONFLICT (id) DO UPDATE SET restored = excluded.restored, epoch = NULL, position = NULL
                        """,
                        [.integer(Instant.now.milliseconds)]
                    )
                }
            }
            for (position, restored) in try database.query(
                "SELECT epoch, position, restored FROM delivery_stream WHERE id = 1",
                row: DeliveryRows.stream
            ) {
                state.position = position
                state.restored = restored
            }
            let widgets = try database.query("SELECT widget, sequence FROM delivery_widget", row: DeliveryRows.widget)
            state.widgets = Dictionary(widgets) { _, last in last }
            let destinations = try database.query(
                "SELECT name, record FROM delivery_destination",
                row: DeliveryRows.destination
            )
            state.destinations = Dictionary(destinations) { _, last in last }
            let lanes = try database.query(
                "SELECT destination, subject, record, body, pending FROM delivery_lane",
                row: DeliveryRows.lane
            )
            state.lanes = Dictionary(lanes) { _, last in last }
            let devices = try database.query("SELECT id, record FROM delivery_device", row: DeliveryRows.device)
            state.devices = Dictionary(devices.map { ($0.id, $0) }) { _, last in last }
            pushKey = try loadPushKey()
            return state
        }
    }

    /// Returns the key with which this installation identifies itself to push services, a new one at the first start.
    private func loadPushKey() throws -> P256PrivateKey {
        let statement = "SELECT scalar FROM delivery_key WHERE name = '\(Self.pushKeyName)'"
        if let key = try database.query(statement, row: DeliveryRows.key).first { return key }
        guard let key = P256PrivateKey() else { throw KeyNotMade() }
        try database.transaction { transaction in
            try transaction.execute(
                "INSERT INTO delivery_key (name, scalar) VALUES ($1, $2)",
                [.text(Self.pushKeyName), .blob(Data(key.scalar))]
            )
        }
        return key
    }

    private static let pushKeyName = "vapid"

    /// The error for a private key that libcrypto could not make.
    private struct KeyNotMade: Error, CustomStringConvertible {
        var description: String { "libcrypto could not make a private key" }
    }

    func commit(_ writes: [DeliveryWrite]) throws(StoreFailure) { try StoreFailure.classifying { try write(writes) } }

    private func write(_ writes: [DeliveryWrite]) throws {
        // A process whose store was taken over must not send messages.
        guard !writes.isEmpty else { return try database.checkOwnership() }
        var rows = DeliveryRows.Sets()
        for write in writes { try rows.add(write) }
        try database.transaction { transaction in
            for (statement, sets) in rows.all where !sets.isEmpty { try transaction.execute(statement, sets: sets) }
        }
    }
}

extension DeliveryStore {
    /// The schema; `delivery_stream` has at most one row.
    ///
    /// The large columns of `delivery_lane` are not in its `record`, so that a lane
    /// without a message is small.
    static let schema = StoreSchema(
        service: ServiceName.delivery.rawValue,
        migrations: [
            .ofBoth(
                1,
                """
                CREATE TABLE delivery_stream (
                    id BIGINT NOT NULL PRIMARY KEY, epoch TEXT, position BIGINT, restored BIGINT
                );
                CREATE TABLE delivery_widget (widget TEXT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL);
                CREATE TABLE delivery_destination (name TEXT NOT NULL PRIMARY KEY, record BLOB NOT NULL);
                CREATE TABLE delivery_lane (
                    destination TEXT NOT NULL, subject TEXT NOT NULL, record BLOB NOT NULL, body BLOB, pending BLOB,
                    PRIMARY KEY (destination, subject)
                );
                CREATE TABLE delivery_device (id TEXT NOT NULL PRIMARY KEY, record BLOB NOT NULL);
                CREATE TABLE delivery_key (name TEXT NOT NULL PRIMARY KEY, scalar BLOB NOT NULL);
                """
            )
        ]
    )

    /// The check of a copy of the store.
    static let check = StoreCheck(
        schema,
        tables: [
            TableCheck("delivery_stream", ["epoch", "position", "restored"]) { row in _ = try DeliveryRows.stream(row)
            },
            TableCheck("delivery_widget", ["widget", "sequence"]) { row in _ = try DeliveryRows.widget(row) },
            TableCheck("delivery_destination", ["name", "record"]) { row in _ = try DeliveryRows.destination(row) },
            TableCheck("delivery_lane", ["destination", "subject", "record", "body", "pending"]) { row in
                _ = try DeliveryRows.lane(row)
            },
            TableCheck("delivery_device", ["id", "record"]) { row in _ = try DeliveryRows.device(row) },
            TableCheck("delivery_key", ["scalar"]) { row in _ = try DeliveryRows.key(row) },
        ]
    )
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The row that records which process owns the store of a service, with the SQL statements that use it.
///
/// | column | meaning |
/// |---|---|
/// | `service` | the service that the row belongs to |
/// | `token` | the token of the owner; each process that takes the store over increases it |
/// | `commits` | the number of transactions that all owners together have committed |
/// | `place` | identifies the file or the server's timeline, so that a copy is detected; NULL if not recorded yet |
///
/// The table `owner_lease` contains the number of renewals of the owner's lease. The number need not be durable; it is
/// negative after the owner has released the store.
struct OwnerRow {
    var token: Int64
    var commits: Int64
    var place: String?

    /// The value of `place` in a store that was restored from a backup, until the service has handled the restore.
    static let restoredPlace = "restored"

    static let table = "owner"
    static let leaseTable = "owner_lease"

    static let tables = [
        """
        CREATE TABLE IF NOT EXISTS owner (
            service TEXT NOT NULL PRIMARY KEY,
            token BIGINT NOT NULL,
            commits BIGINT NOT NULL,
            place TEXT
        )
        """,
        // This table stays empty: its constraint fails if `guardStatement` inserts a row, so that the error arises in
        // the database.
        "CREATE TABLE IF NOT EXISTS fence (held INTEGER NOT NULL CONSTRAINT fence_held CHECK (held = 1))",
        "CREATE TABLE IF NOT EXISTS owner_lease (service TEXT NOT NULL PRIMARY KEY, renewals BIGINT NOT NULL)",
    ]

    /// The statement that increments the column `commits`; it comes first in each transaction of the owner.
    ///
    /// A takeover updates the same row. Therefore no takeover can happen between this statement and the end of the
    /// transaction.
    static let countStatement = "UPDATE owner SET commits = commits + 1 WHERE service = $1 AND token = $2"

    /// The statement that makes the transaction fail unless `$2` is the token of the store's owner, and the owner has
    /// committed at least `$3` transactions; a store that was overwritten with an older copy has fewer.
    static let guardStatement = """
        INSERT INTO fence (held) SELECT 0
        WHERE NOT EXISTS (SELECT 1 FROM owner WHERE service = $1 AND token = $2 AND commits >= $3)
        """

    /// The statement that makes a process the owner of the store.
    ///
    /// `$2` is the lowest token that a process may get on the server's timeline.
    static let takeOverStatement = """
        INSERT INTO owner (service, token, commits) VALUES ($1, $2, 0)
        ON CONFLICT (service) DO UPDATE SET token =
            CASE WHEN owner.token + 1 < excluded.token THEN excluded.token ELSE owner.token + 1 END
        """

    /// The statement that locks the service's row until the end of the transaction, without changing the row.
    static let lockStatement = "UPDATE owner SET place = place WHERE service = $1"

    static let renewStatement = """
        INSERT INTO owner_lease (service, renewals) VALUES ($1, 1)
        ON CONFLICT (service) DO UPDATE SET renewals = ABS(owner_lease.renewals) + 1
        """

    static let releaseStatement = """
        INSERT INTO owner_lease (service, renewals) VALUES ($1, -1)
        ON CONFLICT (service) DO UPDATE SET renewals = -ABS(owner_lease.renewals) - 1
        """

    /// The query that reads an `OwnerState`: the owner's token, the number of commits and the number of lease renewals.
    static let stateQuery = """
        SELECT owner.token, owner.commits, COALESCE(owner_lease.renewals, 0) FROM owner
        LEFT JOIN owner_lease ON owner_lease.service = owner.service WHERE owner.service = $1
        """

    /// The query that reads an `OwnerState` from a store that an earlier version created.
    ///
    /// Earlier versions record no lease renewals; the query returns 0 as their number.
    static let stateQueryWithoutLease = "SELECT token, commits, 0 FROM owner WHERE service = $1"

    static let query = "SELECT token, commits, place FROM owner WHERE service = $1"

    /// The query that reads the service's row and locks it until the end of the transaction.
    ///
    /// After a reconnection, the server may still execute a transaction of the lost connection. Such a transaction has
    /// locked the row, so this query waits until the transaction has ended.
    static let lockingQuery = query + " FOR UPDATE"

    /// Returns the error for a store whose table `owner` has no row for the service.
    static func missing(_ service: String, path: String) -> StorageError {
        StorageError(kind: .corrupt, message: "the table 'owner' has no row for the service '\(service)'", path: path)
    }

    init(_ row: borrowing Row) throws(StorageError) {
        token = try row.integer(0)
        commits = try row.integer(1)
        place = try row.optionalText(2)
    }

    /// Returns the SQL of a migration that replaces the table `owner` of an earlier version.
    ///
    /// The migration creates the tables of `OwnerRow.tables`, and copies the row of the former table `owner` to the new
    /// one. `service` is the value of the new column `service`. `commits` and `place` are SQL expressions, which
    /// compute the new columns `commits` and `place` from the former row.
    static func replacing(service: String, commits: String, place: String) -> String {
        let statements =
            ["ALTER TABLE owner RENAME TO former_owner"] + tables + [
                """
                INSERT INTO owner (service, token, commits, place)
                SELECT '\(service)', token, \(commits), \(place) FROM former_owner
                """,
                "DROP TABLE former_owner",
            ]
        return statements.map { $0 + ";\n" }.joined()
    }
}

extension Migration {
    /// Returns a migration that replaces the table `owner` of an earlier version.
    ///
    /// The migration copies the row of the former table to the new one. `number` is the migration's number, and
    /// `service` is the value of the new column `service`. `commits` and `place` are SQL expressions, which compute the
    /// new columns `commits` and `place` from the former row.
    public static func movingOwner(
        _ number: Int,
        of service: String,
        commits: String = "0",
        place: String = "NULL"
    ) -> Migration {
        Migration(number, OwnerRow.replacing(service: service, commits: commits, place: place))
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The SQL statements that end the session of a suspended owner, whose open transaction blocks a takeover.
///
/// PostgreSQL has no timeout for this case: a session in the middle of a pipeline is not idle, and no statement of it is
/// running. Only sessions of the same role and application name are ended, and only if they wait for their client.
enum BlockingSessions {
    /// The identity of a session on its server.
    struct Session {
        let pid: Int64
        /// The time at which the session began, in microseconds since 1970.
        let startedAt: Int64

        init(_ row: borrowing Row) throws {
            pid = try row.integer(0)
            startedAt = try row.integer(1)
        }
    }

    private static let startTime = "(EXTRACT(EPOCH FROM backend_start) * 1000000)::bigint"

    /// The query that reads the `Session` of the present connection.
    static let ownSession = "SELECT pid, \(startTime) FROM pg_stat_activity WHERE pid = pg_backend_pid()"

    /// The statement that ends the sessions that block a session, and returns their process ids.
    ///
    /// `$1` and `$2` identify the blocked session: the statement has no effect on another server. `$3` is the minimum age
    /// in milliseconds of a transaction that is ended.
    static let endStatement = """
        SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = ANY (pg_blocking_pids($1::integer))
        AND usename = current_user AND application_name = current_setting('application_name')
        AND wait_event_type = 'Client'
        AND xact_start <= clock_timestamp() - $3 * INTERVAL '1 millisecond'
        AND EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND \(startTime) = $2)
        """

    /// Returns the values of `endStatement`.
    static func values(_ session: Session, limit: Duration) -> [SQLValue] {
        let milliseconds = limit / .milliseconds(1)
        return [.integer(session.pid), .integer(session.startedAt), .integer(Int64(milliseconds))]
    }
}

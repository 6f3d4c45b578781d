// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The SQL statements that end a session whose open transaction blocks a takeover.
///
/// The process of such a session was suspended in the middle of a pipeline. PostgreSQL has no timeout for this case:
/// the session executes no statement, but it does not count as idle. A session is ended only if it waits for its
/// client. It must also have the same role and the same application name as the session that executes `endStatement`.
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

    /// The statement that ends the sessions that block a given session, and returns the process ids of the ended
    /// sessions.
    ///
    /// `$1` is the process id of the blocked session, and `$2` is its start time. If the server has no session with
    /// these two values, the statement ends no session: the server may be another one.
    ///
    /// `$3` is a time in milliseconds. A blocking session is ended only if its transaction has been open for at least
    /// this time.
    static let endStatement = """
        SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = ANY (pg_blocking_pids($1::integer))
        AND usename = current_user AND application_name = current_setting('application_name')
        AND wait_event_type = 'Client'
        AND xact_start <= clock_timestamp() - $3 * INTERVAL '1 millisecond'
        AND EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND \(startTime) = $2)
        """

    /// Returns the values for `$1`, `$2` and `$3` of `endStatement`.
    ///
    /// `session` is the blocked session. A blocking session is ended only if its transaction has been open for at least
    /// `limit`.
    static func values(_ session: Session, limit: Duration) -> [SQLValue] {
        let milliseconds = limit / .milliseconds(1)
        return [.integer(session.pid), .integer(session.startedAt), .integer(Int64(milliseconds))]
    }
}

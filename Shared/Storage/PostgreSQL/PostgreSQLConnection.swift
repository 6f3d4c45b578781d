// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CPostgreSQL
internal import Glibc

/// One connection to a PostgreSQL server in pipeline mode, used by one thread at a time.
///
/// A statement is sent without waiting for the results of earlier statements. The connection uses libpq's non-blocking
/// mode. Otherwise, the client and the server could wait for each other to read (PostgreSQL manual, 34.5.1).
final class PostgreSQLConnection {
    /// The maximum time to wait for a result, after which the connection counts as lost.
    static let responseTimeout: Duration = .seconds(15)
    /// The maximum number of prepared statements; further statements are sent without being prepared.
    private static let statementLimit = 256

    /// The key of a prepared statement: its text and the types of its values.
    private struct StatementKey: Hashable {
        var sql: String
        var types: [Oid]
    }

    /// A result that the server must send: for a preparation, for a statement or for a synchronisation point.
    private enum Expected {
        case prepare(StatementKey)
        case statement(String)
        case sync
    }

    let name: String
    /// The action that runs once if the connection still waits for a result when the deadline has passed.
    private var lateAction: (deadline: ContinuousClock.Instant, run: () -> Void)?
    private let handle: OpaquePointer
    private var expected: [Expected] = []
    private var received = 0
    private var prepared: [StatementKey: String] = [:]
    private var preparedCount = 0
    /// The first error since the last synchronisation point of the pipeline; nil if no statement has failed since.
    ///
    /// After an error, the server skips all statements until the next synchronisation point.
    private(set) var failure: StorageError?
    /// A Boolean value that indicates whether the connection is lost.
    private(set) var isBroken = false

    /// Connects to a server with `PostgreSQLAddress.connect`, and puts the connection into pipeline mode.
    ///
    /// `settings` are SET statements, which are executed first.
    init(address: PostgreSQLAddress, settings: [String]) throws(StorageError) {
        name = address.name
        handle = try address.connect()
        // If this fails, the deinitializer runs, and ends the connection.
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw lost() }
        for setting in settings { try send(setting) }
        try sync()
    }

    deinit { PQfinish(handle) }

    /// The server's version in libpq's form: 150003 for 15.3.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    var serverEncoding: String { PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? "unknown" }

    /// A Boolean value that indicates whether a transaction is open on the server.
    var isInTransaction: Bool {
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    // MARK: Statements

    /// Sends one statement without waiting for its result.
    func send(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) {
        let arguments = PostgreSQLValues(values)
        let statement = try prepare(StatementKey(sql: sql, types: arguments.types))
        let isSent = arguments.withArguments { count, values, lengths, formats in
            if let statement {
                PQsendQueryPrepared(handle, statement, count, values, lengths, formats, 1)
            } else {
                PQsendQueryParams(handle, sql, count, arguments.types, values, lengths, formats, 1)
            }
        }
        guard isSent == 1 else { throw lost() }
        expected.append(.statement(sql))
    }

    /// Sends one statement, waits until the server has executed it and all earlier ones, and returns its result.
    ///
    /// Throws the first error since the last synchronisation point of the pipeline.
    func run(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> PostgreSQLResult {
        try send(sql, values)
        return try results(1)[0]
    }

    /// Waits for all pending results, and returns those of the last `count` statements.
    ///
    /// Throws the first error since the last synchronisation point of the pipeline.
    func results(_ count: Int) throws(StorageError) -> [PostgreSQLResult] {
        guard PQsendFlushRequest(handle) == 1 else { throw lost() }
        var statements = expected[received...].count { if case .statement = $0 { true } else { false } }
        var last: [PostgreSQLResult] = []
        while received < expected.count {
            let isStatement = if case .statement = expected[received] { true } else { false }
            let result = try receive()
            guard isStatement else { continue }
            if statements <= count { last.append(result) }
            statements -= 1
        }
        forgetReceived()
        if let failure { throw failure }
        return last
    }

    /// Sends a synchronisation point, waits until the server has executed all statements, and returns the result of the
    /// last statement.
    ///
    /// Throws the first error since the previous synchronisation point. The connection can be used again afterwards,
    /// unless it is broken.
    @discardableResult
    func sync() throws(StorageError) -> PostgreSQLResult? {
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        expected.append(.sync)
        var last: PostgreSQLResult?
        while received < expected.count {
            let isLast = received == expected.count - 2
            let result = try receive()
            if isLast { last = result }
        }
        forgetReceived()
        defer { failure = nil }
        if let failure { throw failure }
        return last
    }

    // MARK: Pipeline

    /// Sets the action to run once if the connection still waits for a result when the deadline has passed.
    ///
    /// The deadline is `delay` after this call. The action must not use this connection.
    func setLateAction(after delay: Duration, _ action: @escaping () -> Void) {
        lateAction = (.now + delay, action)
    }

    func removeLateAction() { lateAction = nil }

    /// Runs the late action if its deadline has passed; otherwise returns the time until the deadline.
    ///
    /// Returns nil if there is no late action, or if the action has just run.
    private func timeToLateAction() -> Duration? {
        guard let late = lateAction else { return nil }
        let left = late.deadline - .now
        guard left <= .zero else { return left }
        lateAction = nil
        late.run()
        return nil
    }

    private func prepare(_ key: StatementKey) throws(StorageError) -> String? {
        if let name = prepared[key] { return name }
        guard prepared.count < Self.statementLimit else { return nil }
        preparedCount += 1
        let name = "s\(preparedCount)"
        guard PQsendPrepare(handle, name, key.sql, Int32(key.types.count), key.types) == 1 else { throw lost() }
        expected.append(.prepare(key))
        prepared[key] = name
        return name
    }

    /// Waits for the next result.
    private func receive() throws(StorageError) -> PostgreSQLResult {
        let next = expected[received]
        try waitForResult()
        guard let pointer = PQgetResult(handle) else { throw lost() }
        received += 1
        let sql: String? =
            switch next {
            case .prepare(let key): key.sql
            case .statement(let sql): sql
            case .sync: nil
            }
        let result = PostgreSQLResult(pointer, sql: sql, path: name)
        if case .sync = next {
            guard result.status == PGRES_PIPELINE_SYNC else { throw lost(result.error) }
            return result
        }
        if let error = result.error {
            if failure == nil { failure = error }
            if PQstatus(handle) == CONNECTION_BAD { throw lost(error) }
        }
        if case .prepare(let key) = next, result.status != PGRES_COMMAND_OK { prepared[key] = nil }
        // A null pointer ends the results of each statement.
        while true {
            try waitForResult()
            guard let pointer = PQgetResult(handle) else { return result }
            PQclear(pointer)
        }
    }

    private func forgetReceived() {
        expected.removeAll(keepingCapacity: true)
        received = 0
    }

    /// Sends the pending output and waits until `PQgetResult` does not block.
    private func waitForResult() throws(StorageError) {
        let deadline = ContinuousClock.now + Self.responseTimeout
        while true {
            let unsent = PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            if PQisBusy(handle) == 0 { return }
            var descriptor = pollfd(
                fd: PQsocket(handle),
                events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0),
                revents: 0
            )
            let toAction = timeToLateAction()
            let timeout = deadline - ContinuousClock.now
            guard timeout > .zero else { throw lost(message: "the server did not answer for \(Self.responseTimeout)") }
            let left = min(timeout, toAction ?? timeout)
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            guard poll(&descriptor, 1, Int32(clamping: milliseconds + 1)) >= 0 || errno == EINTR else { throw lost() }
            if descriptor.revents & ~Int16(POLLOUT) != 0, PQconsumeInput(handle) == 0 { throw lost() }
        }
    }

    /// Marks the connection as lost, and returns the error to throw.
    ///
    /// Returns `error` if it is not nil. Otherwise, returns a new error that contains `message`, or libpq's last error
    /// message if `message` is nil too.
    private func lost(_ error: StorageError? = nil, message: String? = nil) -> StorageError {
        isBroken = true
        var result = error ?? StorageError(kind: .disconnected, message: "", path: name)
        if error == nil {
            let text = message ?? String(cString: PQerrorMessage(handle))
            result.message =
                "the connection was lost: " + text.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
        return result
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation
import Locking

/// A PostgreSQL server of the tests' own: its data in a temporary folder, its socket in the same, no port.
///
/// It runs as a plain user, as the server demands, and ends with this process, also when that is killed.
public final class PostgreSQLServer: Sendable {
    /// Says why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private static let shared = Lock<PostgreSQLServer?>(nil)

    /// The folder of the server's socket.
    public let folder: URL
    private let process: Process
    private let input: Pipe
    private let answers: Pipe
    private let databases = Lock(0)

    /// Returns the server that all tests of this process share, started with the first call.
    public static func running() throws -> PostgreSQLServer {
        try shared.withLock { server in
            if let server { return server }
            let new = try PostgreSQLServer()
            server = new
            return new
        }
    }

    /// Creates a database, and returns its address.
    ///
    /// `options` is appended to CREATE DATABASE.
    public func makeDatabase(_ options: String = "") throws -> String {
        let number = databases.withLock { number in
            number += 1
            return number
        }
        let name = "test\(getpid())_\(number)"
        try run("CREATE DATABASE \(name) \(options)")
        return address(of: name)
    }

    /// Returns the address of a database, for a user of the server.
    public func address(of database: String, user: String = "tidings", socketFolder: String? = nil) -> String {
        let host = (socketFolder ?? folder.path).replacing("/", with: "%2F")
        return "postgresql://\(user)@\(host)/\(database)"
    }

    /// Runs SQL in a database with `psql`, and returns what it prints: rows without decoration.
    @discardableResult
    public func run(_ sql: String, in database: String = "postgres") throws -> String {
        let psql = Process()
        psql.executableURL = URL(filePath: "/usr/bin/env")
        psql.arguments = [
            "psql", "--no-psqlrc", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", address(of: database), "-c", sql,
        ]
        let (output, errors) = (Pipe(), Pipe())
        psql.standardOutput = output
        psql.standardError = errors
        try psql.start()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let message = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        psql.waitUntilExit()
        guard psql.terminationStatus == 0 else { throw Failure(description: "psql: \(message)") }
        return text.trimmingCharacters(in: .newlines)
    }

    /// Locks a table for `body`, which runs once a transaction that has written waits for the lock.
    ///
    /// `application` is the application name of the waiting session.
    public func withLock(
        on table: String,
        in database: String,
        against application: String,
        _ body: () throws -> Void
    ) throws {
        let psql = Process()
        psql.executableURL = URL(filePath: "/usr/bin/env")
        psql.arguments = ["psql", "--no-psqlrc", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", address(of: database)]
        let (input, output) = (Pipe(), Pipe())
        psql.standardInput = input
        psql.standardOutput = output
        try psql.start()
        defer {
            // The end of its input ends psql, and its session the lock.
            try? input.fileHandleForWriting.close()
            psql.waitUntilExit()
        }
        let waiting = """
            SET statement_timeout = '30s';
            BEGIN;
            LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE;
            DO $$ BEGIN
                WHILE NOT EXISTS (
                    SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
                    AND application_name = '\(application)' AND wait_event_type = 'Lock' AND backend_xid IS NOT NULL
                ) LOOP
                    PERFORM pg_stat_clear_snapshot();
                END LOOP;
            END $$;
            SELECT 'waiting';

            """
        try input.fileHandleForWriting.write(contentsOf: Data(waiting.utf8))
        let line = Data("waiting\n".utf8)
        guard try output.fileHandleForReading.read(upToCount: line.count) == line else {
            throw Failure(description: "no transaction of \(application) waited for \(table)")
        }
        try body()
    }

    /// Waits until all sessions of an application wait for their client; returns whether one of them is within a
    /// transaction that has written.
    public func isWithinTransaction(_ application: String, in database: String) throws -> Bool {
        let sessions = "pg_stat_activity WHERE datname = '\(database)' AND application_name = '\(application)'"
        let waiting = """
            DO $$ BEGIN
                WHILE EXISTS (SELECT 1 FROM \(sessions) AND wait_event_type IS DISTINCT FROM 'Client') LOOP
                    PERFORM pg_stat_clear_snapshot();
                END LOOP;
            END $$
            """
        try run("SET statement_timeout = '30s'; \(waiting)")
        return try run("SELECT EXISTS (SELECT 1 FROM \(sessions) AND backend_xid IS NOT NULL)") == "t"
    }

    /// Ends all other connections to a database, as a server that goes down would.
    public func terminateConnections(to database: String) throws {
        try run("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(database)'")
    }

    /// Starts a server for one test.
    public static func start() throws -> PostgreSQLServer { try PostgreSQLServer() }

    /// Stops the server, and starts it again as a standby that is promoted: it is on the next timeline then.
    public func promote() throws { try order("promote") }

    /// Lets the server crash, and starts it again.
    public func crash() throws { try order("crash") }

    private func order(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
        try waitUntilReady()
    }

    /// Stops the server.
    public func stop() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private init() throws {
        // The path of a socket is short.
        folder = URL(filePath: "/tmp/tidings-pg-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let asPlainUser: String
        if getuid() == 0 {
            guard let nobody = getpwnam("nobody"), chown(folder.path, nobody.pointee.pw_uid, nobody.pointee.pw_gid) == 0
            else { throw Failure(description: "there is no user 'nobody' to run PostgreSQL as") }
            asPlainUser = "setpriv --reuid=nobody --regid=\(nobody.pointee.pw_gid) --clear-groups"
        } else {
            asPlainUser = ""
        }
        process = Process()
        input = Pipe()
        answers = Pipe()
        let errors = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        // The end of standard input, with that of this process, stops the server.
        process.arguments = [
            "-c",
            """
            cd "$0" || exit 1
            bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
            control() {
                $plain "$bin/pg_ctl" -D data -w -s -l log -o "-k '$0' -c listen_addresses= -c fsync=off" "$@" >&2
            }
            plain=$1
            $plain "$bin/initdb" -D data -U tidings --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >&2 || exit 1
            control start || { cat log >&2; exit 1; }
            echo ready
            while read -r command; do
                case $command in
                promote)
                    control -m fast stop && $plain touch data/standby.signal && control start && control promote && echo ready
                    ;;
                crash) control -m immediate stop && control start && echo ready ;;
                esac
            done
            control -m fast stop
            rm -rf "$0"
            """,
            folder.path, asPlainUser,
        ]
        process.standardInput = input
        process.standardOutput = answers
        process.standardError = errors
        try process.start()
        do {
            try waitUntilReady()
        } catch {
            let text = try errors.fileHandleForReading.readToEnd() ?? Data()
            throw Failure(description: "\(error): \(String(decoding: text, as: UTF8.self))")
        }
        let descriptor = errors.fileHandleForReading.fileDescriptor
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
    }

    private func waitUntilReady() throws {
        let line = Data("ready\n".utf8)
        guard try answers.fileHandleForReading.read(upToCount: line.count) == line else {
            throw Failure(description: "PostgreSQL did not start")
        }
    }
}

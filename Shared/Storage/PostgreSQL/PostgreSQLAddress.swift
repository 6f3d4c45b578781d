// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CPostgreSQL

/// The address of a PostgreSQL database, as libpq reads it: `postgresql://USER@HOST,HOST/DATABASE?…`.
struct PostgreSQLAddress: Sendable {
    /// The prefixes by which the address of a PostgreSQL database is recognised.
    static let schemes = ["postgresql://", "postgres://"]
    /// The time in seconds after which a connection attempt ends and the next host is tried.
    private static let connectTimeout = 3

    private let url: String
    /// The address without user and password, for messages.
    let name: String
    private let application: String

    /// Creates an address; throws if libpq cannot read `url`.
    ///
    /// `application` is the application name that the server shows for the connection, unless `url` contains another.
    init(_ url: String, application: String) throws(StorageError) {
        self.url = url
        self.application = application
        name = try Self.name(of: url)
    }

    /// Connects to the first host that accepts writes.
    ///
    /// If the address contains `target_session_attrs`, this parameter chooses the kind of host instead.
    func connect() throws(StorageError) -> OpaquePointer {
        // If an option has two values, the later one counts. The options before `dbname` are therefore defaults, which
        // the address can override.
        let options = [
            ("connect_timeout", String(Self.connectTimeout)),
            ("tcp_user_timeout", "10000"),
            ("target_session_attrs", "read-write"),
            ("application_name", application),
            ("dbname", url),
            ("client_encoding", "UTF8"),
        ]
        let handle = Self.withCStrings(options.map(\.0)) { names in
            Self.withCStrings(options.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
        }
        guard let handle else {
            throw StorageError(kind: .disconnected, message: "memory ran out while connecting", path: name)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw refused(String(cString: PQerrorMessage(handle)))
        }
        return handle
    }

    /// Returns the error for a failed attempt to connect.
    ///
    /// `text` is libpq's error message. Libpq provides no SQLSTATE for such a failure, so the kind of the error is
    /// determined from the message. The messages for the kind `readOnly` are libpq's own. The messages for the kind
    /// `missingRights` come from the server: if the server is not configured for English, the kind is `disconnected`.
    private func refused(_ text: String) -> StorageError {
        let message = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let kind: StorageError.Kind =
            if message.contains("session is read-only") || message.contains("in hot standby mode") {
                .readOnly
            } else if message.contains("password authentication failed") || message.contains("no pg_hba.conf entry") {
                .missingRights
            } else {
                .disconnected
            }
        return StorageError(kind: kind, message: message, path: name)
    }

    private static func name(of url: String) throws(StorageError) -> String {
        var text: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &text) else {
            defer { PQfreemem(text) }
            // The text from libpq could contain parts of the password.
            throw StorageError(
                kind: .cannotOpen,
                message: "the text is not a PostgreSQL address; write postgresql://USER@HOST:PORT/DATABASE",
                path: "the store's address"
            )
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        let hosts = (values["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return host + (port.isEmpty ? "" : ":\(port)")
        }
        return "postgresql://\(places.joined(separator: ","))/\(values["dbname"] ?? "")"
    }

    /// Calls `body` with an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let bytes = strings.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in strings {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += string.utf8.count + 1
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
public import WidgetSchema

extension InstanceName {
    /// The maximum number of characters of the host's name in an instance name.
    private static let maximumHostLength = 100

    /// Returns the default name of this process: the host's name, `-` and the process id.
    ///
    /// The host's name is the variable `HOSTNAME` in `environment`, or the system's host name if the variable is
    /// missing or empty. Characters of the host's name that are invalid in an instance name are replaced by `-`. The
    /// function ignores the variable `TIDINGS_INSTANCE`.
    public static func ofThisProcess(environment: [String: String]) -> InstanceName {
        let host = environment["HOSTNAME"].flatMap { $0.isEmpty ? nil : $0 } ?? hostName()
        return InstanceName(host: host, process: getpid())
    }

    init(host: String, process: Int32) {
        let plain = host.prefix(Self.maximumHostLength).map { character -> Character in
            InstanceName(rawValue: String(character)) == nil ? "-" : character
        }
        guard let name = InstanceName(rawValue: "\(plain.isEmpty ? "host" : String(plain))-\(process)") else {
            preconditionFailure("internal error: the name of this process is not a valid instance name")
        }
        self = name
    }

    private static func hostName() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

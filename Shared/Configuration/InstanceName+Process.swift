// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc
public import WidgetSchema

extension InstanceName {
    /// The environment variable that gives a process its name.
    public static let variable = "TIDINGS_INSTANCE"

    /// The maximum length of a host name in the name of an instance.
    private static let maximumHostLength = 100

    /// HOSTNAME-PID: the name of this process where `TIDINGS_INSTANCE` gives none.
    ///
    /// Characters that the name of an instance may not contain become `-`.
    public static func ofThisProcess(environment: [String: String]) -> InstanceName {
        let host = environment["HOSTNAME"].flatMap { $0.isEmpty ? nil : $0 } ?? hostName()
        return InstanceName(host: host, process: getpid())
    }

    init(host: String, process: Int32) {
        let plain = host.prefix(Self.maximumHostLength).map { character -> Character in
            InstanceName(rawValue: String(character)) == nil ? "-" : character
        }
        guard let name = InstanceName(rawValue: "\(plain.isEmpty ? "host" : String(plain))-\(process)") else {
            preconditionFailure("each character was checked, and the length is bounded")
        }
        self = name
    }

    private static func hostName() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

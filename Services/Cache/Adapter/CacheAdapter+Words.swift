// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The sentences about sources in heartbeats.
extension CacheAdapter {
    /// Returns a sentence that names at most `namedSilentSources` quarantined sources and counts the rest.
    static func words(_ quarantined: [QuarantinedSource]) -> String {
        let named = quarantined.prefix(namedSilentSources).map { source in
            "\(source.widget)\(source.host.isEmpty ? "" : " at \(source.host)") (\(source.leases) leases in a row)"
        }
        return "No outcome from fetchers: " + list(named, of: quarantined.count)
    }

    /// Returns a sentence that names at most `namedSilentSources` silent sources and counts the rest.
    static func words(_ silent: [SilentSource]) -> String {
        let named = silent.prefix(namedSilentSources).map { source in
            let hours = source.usualInterval.components.seconds / 3_600
            let interval = hours < 48 ? hours < 2 ? "hour or sooner" : "\(hours) hours" : "\(hours / 24) days"
            return "\(source.widget) (usually every \(interval), last \(source.lastChange))"
        }
        return "No change for far longer than usual: " + list(named, of: silent.count)
    }

    private static func list(_ named: [String], of count: Int) -> String {
        named.joined(separator: ", ") + (count > named.count ? " and \(count - named.count) more" : "")
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The sentences about sources in heartbeats.
extension CacheAdapter {
    /// Returns a sentence that names at most `namedSilentSources` quarantined sources and counts the rest.
    static func words(_ quarantined: [QuarantinedSource]) -> String {
        let named = quarantined.prefix(namedSilentSources).map { source in
            "\(source.widget)\(source.host.isEmpty ? "" : " at \(source.host)") (\(source.leases) leases in a row)"
        }
        let rest = quarantined.count - named.count
        return "No outcome from fetchers: " + named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Returns a sentence that names at most `namedSilentSources` silent sources and counts the rest.
    static func words(_ silent: [SilentSource]) -> String {
        let named = silent.prefix(namedSilentSources).map { source in
            let hours = source.usualPause.components.seconds / 3_600
            let pause = hours < 48 ? hours < 2 ? "hour or sooner" : "\(hours) hours" : "\(hours / 24) days"
            return "\(source.widget) (usually every \(pause), last \(source.lastChange))"
        }
        let rest = silent.count - named.count
        return "No change for far longer than usual: " + named.joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more" : "")
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The detection of URLs whose host is on a loopback or private network.
///
/// Fetchers reject such URLs without `allowPrivateNetworks`. Only the text of the URL is checked. If a host name
/// resolves to a private address, the fetcher itself rejects it.
enum PrivateHost {
    /// Returns "loopback" or "private" if the URL's host is on a network of this kind; nil if the host may be public.
    static func kind(url: String) -> String? {
        guard let host = URLComponents(string: url)?.host?.lowercased() else { return nil }
        if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || host == "::1" { return "loopback" }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil, parts[3] != nil else {
            return nil
        }
        switch (first, second) {
        case (127, _): return "loopback"
        case (10, _), (192, 168), (172, 16...31): return "private"
        default: return nil
        }
    }
}

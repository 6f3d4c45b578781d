// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The names that identify hosts, so that requests to the same host are counted together.
package enum OriginHost {
    /// Returns the host and the port of a URL in lower case, without the scheme's default port.
    ///
    /// Returns an empty string if the URL has no host, such as a file URL.
    package static func name(of url: String) -> String {
        guard let parts = URLComponents(string: url), let host = parts.host?.lowercased(), !host.isEmpty else {
            return ""
        }
        let usual = parts.scheme?.lowercased() == "https" ? 443 : 80
        guard let port = parts.port, port != usual else { return host }
        return "\(host):\(port)"
    }
}

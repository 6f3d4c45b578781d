// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Names the host that a URL is asked at, so that requests to one host are counted together.
package enum OriginHost {
    /// Host and port, in lower case and without the port that the scheme has anyway; empty where there is no host, as in
    /// a file's URL.
    package static func name(of url: String) -> String {
        guard let parts = URLComponents(string: url), let host = parts.host?.lowercased(), !host.isEmpty else {
            return ""
        }
        let usual = parts.scheme?.lowercased() == "https" ? 443 : 80
        guard let port = parts.port, port != usual else { return host }
        return "\(host):\(port)"
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutAction {
    /// Longer links are no links.
    static let maximumLinkBytes = 2048

    /// Opens a page of the web; nil where the link is none.
    static func opening(webLink link: String) -> LayoutAction? {
        guard link.utf8.count <= maximumLinkBytes, let url = URL(string: link),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host()?.isEmpty == false
        else { return nil }
        return .open(url: link)
    }
}

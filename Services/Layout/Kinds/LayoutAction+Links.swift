// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

extension LayoutAction {
    /// Longer links are no links.
    static let maximumLinkBytes = 2048

    /// Opens a page of the web; nil where the link is none.
    static func opening(webLink link: String) -> LayoutAction? {
        guard link.utf8.count <= maximumLinkBytes, LinkSchemes.isOfTheWeb(link), let url = URL(string: link),
            url.host()?.isEmpty == false
        else { return nil }
        return .open(url: link)
    }

    /// Opens a page of the web, or something of an app; nil where the link is neither.
    static func opening(link: String) -> LayoutAction? {
        if LinkSchemes.isOfTheWeb(link) { return opening(webLink: link) }
        guard link.utf8.count <= maximumLinkBytes, LinkSchemes.isOfTheWebOrAnApp(link), URL(string: link) != nil else {
            return nil
        }
        return .open(url: link)
    }
}

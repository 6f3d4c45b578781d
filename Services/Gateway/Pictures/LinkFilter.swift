// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A filter that removes a link from a layout if its URL scheme is not allowed for HTTP clients.
///
/// The schemes http and https are always allowed. Other schemes must be configured: in the gateway's `linkSchemes`, or in
/// the link or a quick action of a widget.
struct LinkFilter: Sendable {
    /// The configured schemes, in lower case and without the colon.
    let schemes: Set<String>

    init(_ schemes: some Sequence<String> = [String]()) { self.schemes = Set(schemes.map { $0.lowercased() }) }

    func allows(_ link: String) -> Bool {
        if LinkSchemes.isOfTheWeb(link) { return true }
        guard LinkSchemes.isOfTheWebOrAnApp(link), let scheme = LinkSchemes.scheme(of: link) else { return false }
        return schemes.contains(scheme)
    }

    func apply(to layout: inout Layout) {
        if let link = layout.link, !allows(link) { layout.link = nil }
        apply(to: &layout.views)
    }

    private func apply(to views: inout [LayoutView]) {
        for index in views.indices {
            if case .open(let url) = views[index].action, !allows(url) { views[index].action = nil }
            if var inner = views[index].views {
                apply(to: &inner)
                views[index].views = inner
            }
        }
    }
}

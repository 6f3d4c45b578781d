// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension TidingsConfiguration {
    /// The URL schemes of the links that clients may follow, in lower case and without http and https.
    ///
    /// These are the schemes in `gateway.linkSchemes`, and those of the links and quick actions of all widgets. The days of
    /// a forecast without a link have the scheme of ``ForecastLink/defaultBase``.
    public var linkSchemes: Set<String> {
        var schemes = Set(gateway.linkSchemes.map { $0.lowercased() })
        for widget in widgets {
            let definition = widget.definition
            let link = definition.link ?? (definition.kind == .forecast ? ForecastLink.defaultBase : nil)
            let links = [link].compactMap(\.self) + (definition.actions ?? []).map(\.url)
            for link in links where !LinkSchemes.isOfTheWeb(link) {
                if let scheme = LinkSchemes.scheme(of: link) { schemes.insert(scheme) }
            }
        }
        return schemes
    }
}

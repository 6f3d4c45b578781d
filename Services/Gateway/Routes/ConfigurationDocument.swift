// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import ServiceRuntime
import WidgetSchema

/// The configuration without secrets: it omits all tokens, the headers of sources and the queries in their URLs.
struct ConfigurationDocument: Codable, Hashable, Sendable {
    struct WidgetEntry: Codable, Hashable, Sendable {
        var id: WidgetID
        var kind: WidgetKind
        /// The URL of the source; absent if the content is pushed.
        var source: String?
        var intervalSeconds: Double
        /// True if the source is fetched just before a panel shows it; then `intervalSeconds` is the minimum.
        var whenShown: Bool?
        var displays: [DisplayName]
    }

    var version: String
    var displays: [Display]
    var widgets: [WidgetEntry]

    init(_ configuration: TidingsConfiguration) {
        version = TidingsVersion.current
        displays = configuration.displays
        widgets = configuration.widgets.map { widget in
            WidgetEntry(
                id: widget.id,
                kind: widget.definition.kind,
                source: widget.source.map { ShownURL.text($0.url) },
                intervalSeconds: widget.interval / .seconds(1),
                whenShown: widget.isFetchedWhenShown ? true : nil,
                displays: widget.displays
            )
        }
    }
}

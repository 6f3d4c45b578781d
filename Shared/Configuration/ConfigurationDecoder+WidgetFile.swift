// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ConfigurationDecoder {
    /// Adds the widgets of a file in `widgets.d` to `configuration`.
    ///
    /// `document` is the parsed file. `owners` maps the id of each widget that is already defined to the path of the
    /// file that defines it. If `document` defines one of these widgets again, the function reports an error and does
    /// not add the widget. The ids of the added widgets are recorded in `owners`.
    mutating func decodeWidgetFile(
        _ document: YAMLParser.Document,
        owners: inout [WidgetID: String],
        into configuration: inout TidingsConfiguration
    ) {
        defer { finish(&configuration) }
        for duplicate in document.duplicates { nodes.fail(duplicate.mark, duplicate.message) }
        guard let root = document.root else { return }
        let keys = nodes.mapping(root, "a file of widgets", known: ["widgets"])
        guard let widgets = keys["widgets"] else { return }
        for entry in nodes.entries(widgets.value, "widgets") {
            guard let id = WidgetID(rawValue: entry.key), let owner = owners[id] else { continue }
            nodes.fail(entry.keyMark, "widget '\(id)' is already defined in \(owner)")
        }
        let displayNames = Self.names(of: configuration.displays)
        for widget in decodeWidgets(widgets.value, displayNames: displayNames, of: configuration)
        where owners[widget.id] == nil {
            owners[widget.id] = file
            configuration.widgets.append(widget)
        }
        configuration.widgets.sort { $0.id < $1.id }
        if configuration.widgets.count > ConfigurationLimits.maximumWidgets {
            nodes.fail(widgets.keyMark, "more than \(ConfigurationLimits.maximumWidgets) widgets in all files")
        }
    }
}

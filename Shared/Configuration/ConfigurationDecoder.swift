// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Foundation
import MessageBus
import WidgetSchema

/// Makes a configuration of a file's tree, and collects all that is wrong with it.
///
/// What is wrong has its default in the result, which is of no use then.
struct ConfigurationDecoder {
    var nodes: NodeDecoder
    /// Relative paths of the file begin here.
    private let folder: String
    private let file: String
    private var secrets = Secrets()
    private var warnings: [String] = []
    /// Sources that fetching would refuse.
    private var refusals: [ConfigurationError] = []

    var errors: [ConfigurationError] { nodes.errors }

    init(file: String) {
        nodes = NodeDecoder(file: file)
        self.file = file
        folder = (file as NSString).deletingLastPathComponent
    }

    mutating func decode(_ document: YAMLParser.Document, into configuration: inout TidingsConfiguration) {
        defer {
            configuration.secrets = secrets
            configuration.refusals += refusals
            configuration.warnings += warnings
        }
        for duplicate in document.duplicates { nodes.fail(duplicate.mark, duplicate.message) }
        configuration.store = path(TidingsConfiguration.defaultStore)
        guard let root = document.root else { return }
        let keys = nodes.mapping(
            root,
            "the configuration",
            known: ["store", "bus", "fetching", "history", "gateway", "displays", "widgets"]
        )
        if let store = keys["store"], let text = nodes.text(store.value, "store") { configuration.store = path(text) }
        if let bus = keys["bus"] { decodeBus(bus.value, into: &configuration.bus) }
        if let fetching = keys["fetching"] { decodeFetching(fetching.value, into: &configuration.fetching) }
        if let gateway = keys["gateway"] { decodeGateway(gateway.value, into: &configuration.gateway) }
        if let history = keys["history"] { decodeHistory(history.value, into: &configuration.history) }
        var families: [String: [DisplayName]] = Self.names(of: configuration.displays)
        if let displays = keys["displays"], !displays.value.isNull {
            (configuration.displays, families) = decodeDisplays(displays.value)
        }
        if let widgets = keys["widgets"] {
            configuration.widgets = decodeWidgets(widgets.value, families: families, of: configuration)
        }
    }

    // MARK: Bus and fetching

    private mutating func decodeBus(_ node: YAMLNode, into bus: inout TidingsConfiguration.Bus) {
        let keys = nodes.mapping(node, "bus", known: ["address", "allowWithoutKeys"])
        if let address = keys["address"], let text = nodes.text(address.value, "address") {
            let resolved = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init).map {
                endpoint in
                guard endpoint.hasPrefix("ipc://"), endpoint != "ipc://" else { return endpoint }
                return "ipc://" + path(String(endpoint.dropFirst("ipc://".count)))
            }.joined(separator: ",")
            do throws(BusAddressError) {
                _ = try BusAddress(resolved)
                bus.address = resolved
            } catch {
                nodes.fail(address.value.mark, error.description)
                // Commands that read a broken file must not ask another bus.
                bus.address = resolved
            }
        }
        if let flag = keys["allowWithoutKeys"] {
            bus.allowWithoutKeys = nodes.flag(flag.value, flag.key) ?? bus.allowWithoutKeys
        }
    }

    private mutating func decodeFetching(_ node: YAMLNode, into fetching: inout TidingsConfiguration.Fetching) {
        let keys = nodes.mapping(
            node,
            "fetching",
            known: [
                "interval", "minimumInterval", "allowPrivateNetworks", "hostConcurrency", "hostSpacing",
                "leaseDuration", "fileDirectory",
            ]
        )
        fetching.interval = interval(keys["interval"]) ?? fetching.interval
        fetching.minimumInterval = minimumInterval(keys["minimumInterval"]) ?? fetching.minimumInterval
        if let flag = keys["allowPrivateNetworks"] {
            fetching.allowPrivateNetworks = nodes.flag(flag.value, flag.key) ?? fetching.allowPrivateNetworks
        }
        if let number = keys["hostConcurrency"] {
            fetching.hostConcurrency =
                nodes.integer(number.value, number.key, in: ConfigurationLimits.hostConcurrency)
                ?? fetching.hostConcurrency
        }
        if let spacing = keys["hostSpacing"] {
            fetching.hostSpacing =
                nodes.duration(spacing.value, spacing.key, in: ConfigurationLimits.hostSpacing)
                ?? fetching.hostSpacing
        }
        if let directory = keys["fileDirectory"], let text = nodes.text(directory.value, "fileDirectory") {
            fetching.fileDirectory = path(text)
        }
        if let lease = keys["leaseDuration"] {
            fetching.leaseDuration =
                nodes.duration(lease.value, lease.key, in: ConfigurationLimits.leaseDuration)
                ?? fetching.leaseDuration
        }
    }

    private mutating func decodeHistory(_ node: YAMLNode, into history: inout TidingsConfiguration.History) {
        let keys = nodes.mapping(node, "history", known: ["cycles", "age", "contentKilobytes"])
        if let cycles = keys["cycles"] {
            history.cycles =
                nodes.integer(cycles.value, cycles.key, in: ConfigurationLimits.historyCycles) ?? history.cycles
        }
        if let age = keys["age"] {
            history.age = nodes.duration(age.value, age.key, in: ConfigurationLimits.historyAge) ?? history.age
        }
        if let content = keys["contentKilobytes"] {
            history.contentKilobytes =
                nodes.integer(content.value, content.key, in: ConfigurationLimits.historyContentKilobytes)
                ?? history.contentKilobytes
        }
    }

    private mutating func decodeFile(_ node: YAMLNode, fetching: TidingsConfiguration.Fetching) -> TidingsConfiguration
        .Source?
    {
        guard let text = nodes.text(node, "file") else { return nil }
        if let problem = RequestSyntax.problem(file: text) {
            nodes.fail(node.mark, problem)
            return nil
        }
        guard fetching.fileDirectory != nil else {
            nodes.fail(node.mark, "a file needs fetching.fileDirectory, the directory that it is below")
            return nil
        }
        return TidingsConfiguration.Source(file: text)
    }

    private mutating func interval(_ entry: YAMLNode.Entry?) -> Duration? {
        entry.flatMap { nodes.duration($0.value, $0.key, in: ConfigurationLimits.interval) }
    }

    private mutating func minimumInterval(_ entry: YAMLNode.Entry?) -> Duration? {
        entry.flatMap { nodes.duration($0.value, $0.key, in: ConfigurationLimits.minimumInterval) }
    }

    // MARK: Displays

    private mutating func decodeDisplays(_ node: YAMLNode) -> ([Display], [String: [DisplayName]]) {
        var displays: [Display] = []
        var families: [String: [DisplayName]] = [:]
        let entries = nodes.entries(node, "displays")
        if entries.isEmpty { nodes.fail(node.mark, "displays names none; leave it out to have the default ones") }
        if entries.count > ConfigurationLimits.maximumDisplays {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumDisplays) displays")
        }
        for entry in entries {
            let variants = decodeDisplay(entry)
            // Also for a broken display, so that widgets that name it are not called wrong.
            families[entry.key] = variants.map(\.name)
            for variant in variants {
                if displays.contains(where: { $0.name == variant.name }) {
                    nodes.fail(entry.keyMark, "two displays are called '\(variant.name)'")
                }
                displays.append(variant)
            }
        }
        return (displays, families)
    }

    private mutating func decodeDisplay(_ entry: YAMLNode.Entry) -> [Display] {
        let what = "display '\(entry.key)'"
        let name = nodes.identifier(entry.key, at: entry.keyMark, DisplayName.self)
        let keys = nodes.mapping(
            entry.value,
            what,
            known: [
                "device", "family", "width", "height", "compactHeight", "maximumHeight", "contentSizeCategory", "scale",
                "insets", "locale", "timeZone", "appearance", "hourCycle", "orientation", "column",
            ]
        )
        var family: Display.Family?
        if let choice = keys["family"] {
            family = nodes.choice(choice.value, choice.key, Display.Family.self)
        } else {
            nodes.fail(entry.keyMark, "\(what) has no family (\(Self.families))")
        }
        let category =
            keys["contentSizeCategory"].flatMap { nodes.choice($0.value, $0.key, ContentSizeCategory.self) } ?? .large
        let device = keys["device"].flatMap { decodeDevice($0.value) }
        let scale = keys["scale"].flatMap { nodes.integer($0.value, $0.key, in: ConfigurationLimits.scale) }
        let insets = keys["insets"].map { decodeInsets($0.value) }
        let locale = checked(keys["locale"], Region.problem(locale:))
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let appearance = keys["appearance"].flatMap { nodes.choice($0.value, $0.key, Appearance.self) }
        let hourCycle = keys["hourCycle"].flatMap { nodes.choice($0.value, $0.key, Display.HourCycle.self) }
        if let locale, let entry = keys["locale"], WidgetLanguage(locale: locale) == nil {
            warn(
                entry.value.mark,
                "there are no words of widgets in the language of '\(locale)'; they are shown in English"
            )
        }
        guard let name, let family else { return [] }
        let posture = posture(of: device, keys)
        let proposal = proposal(of: device, for: family, at: category, in: posture, entry, keys)
        let compactHeight = length(keys["compactHeight"]) ?? proposal.compactHeight
        let maximumHeight =
            length(keys[family.isFixed ? "height" : "maximumHeight"])
            ?? max(proposal.maximumHeight, keys["maximumHeight"] == nil ? compactHeight ?? 0 : 0)
        if let compactHeight, maximumHeight < compactHeight,
            let place = keys["maximumHeight"] ?? keys["compactHeight"]
        {
            nodes.fail(place.value.mark, "maximumHeight (\(maximumHeight)) is below compactHeight (\(compactHeight))")
        }
        let width = length(keys["width"]) ?? proposal.width
        let modes: [Display.Mode?] = family.hasModes ? Display.Mode.allCases : [nil]
        return modes.compactMap { mode in
            let variant = mode.map { "\(name)-\($0.rawValue)" } ?? name.rawValue
            return nodes.identifier(variant, at: entry.keyMark, DisplayName.self).map { name in
                Display(
                    name: name,
                    family: family,
                    mode: mode,
                    width: width,
                    compactHeight: mode == nil ? nil : compactHeight,
                    maximumHeight: maximumHeight,
                    contentSizeCategory: category,
                    scale: scale ?? device?.scale ?? TidingsConfiguration.defaultScale,
                    insets: insets ?? proposal.insets,
                    locale: locale ?? TidingsConfiguration.defaultLocale,
                    timeZone: timeZone ?? TidingsConfiguration.defaultTimeZone,
                    appearance: appearance ?? family.defaultAppearance,
                    hourCycle: hourCycle
                )
            }
        }
    }

    private static let families = NodeDecoder.list(Display.Family.allCases.map(\.rawValue))

    private mutating func decodeDevice(_ node: YAMLNode) -> DeviceProfile? {
        guard let text = nodes.text(node, "device") else { return nil }
        if let device = DeviceProfile.named(text) { return device }
        let known = DeviceProfile.all.map(\.name)
        nodes.fail(
            node.mark,
            "there is no device '\(text)'"
                + (EditDistance.closest(to: text, among: known).map { "; did you mean '\($0)'?" }
                    ?? "; there are \(known.joined(separator: ", "))")
        )
        return nil
    }

    /// How the device is held; notes a column that it does not have.
    private mutating func posture(of device: DeviceProfile?, _ keys: [String: YAMLNode.Entry]) -> DevicePosture {
        var posture = DevicePosture()
        if let entry = keys["orientation"] {
            posture.orientation = nodes.choice(entry.value, entry.key, DevicePosture.Orientation.self) ?? .portrait
            if device == nil { nodes.fail(entry.keyMark, "an orientation needs a device, such as iphone-375") }
        }
        if let entry = keys["column"] {
            posture.column = nodes.choice(entry.value, entry.key, DevicePosture.Column.self)
            if device?.isTablet != true || posture.orientation != .landscape {
                nodes.fail(entry.keyMark, "only an iPad in landscape has columns; give its device and orientation")
            }
        }
        return posture
    }

    /// What a display has where the file says nothing; notes the keys that its family does not have.
    private mutating func proposal(
        of device: DeviceProfile?,
        for family: Display.Family,
        at category: ContentSizeCategory,
        in posture: DevicePosture,
        _ entry: YAMLNode.Entry,
        _ keys: [String: YAMLNode.Entry]
    ) -> DeviceProfile.Proposal {
        if !family.hasModes, let height = keys["compactHeight"] {
            nodes.fail(height.keyMark, "family \(family.rawValue) has no modes, so no compactHeight")
        }
        if family.isFixed, let height = keys["maximumHeight"] {
            nodes.fail(height.keyMark, "family \(family.rawValue) has a fixed height; give it as height")
        }
        if !family.isFixed, let height = keys["height"] {
            nodes.fail(height.keyMark, "family \(family.rawValue) is as high as its content; give a maximumHeight")
        }
        if device == nil, let proposal = TidingsConfiguration.defaultProposal(family, at: category) { return proposal }
        let isSized = keys["width"] != nil && keys["height"] != nil
        let proposal = (device ?? DeviceProfile.named(TidingsConfiguration.defaultDevice))?
            .proposal(for: family, at: category, in: posture)
        if device == nil || proposal == nil, family == .panel || proposal == nil, !isSized {
            let owners = DeviceProfile.all.filter { $0.proposal(for: family, at: category) != nil }.map(\.name)
            let place = keys["device"]?.value.mark ?? entry.keyMark
            nodes.fail(
                place,
                family == .panel
                    ? "a panel has a width and a height of its own; give both, or a device"
                    : "\(device?.name ?? "this device") has no \(family.rawValue); give width and height, or one of "
                        + owners.joined(separator: ", ")
            )
        }
        let margin = DeviceProfile.widgetMargin
        return proposal
            ?? DeviceProfile.Proposal(
                width: TidingsConfiguration.defaultWidth,
                maximumHeight: TidingsConfiguration.defaultWidth,
                insets: EdgeInsets(top: margin, leading: margin, bottom: margin, trailing: margin)
            )
    }

    private mutating func decodeInsets(_ node: YAMLNode) -> EdgeInsets {
        var insets = EdgeInsets()
        let edges: [(String, WritableKeyPath<EdgeInsets, Double>)] = [
            ("top", \.top), ("leading", \.leading), ("bottom", \.bottom), ("trailing", \.trailing),
        ]
        let keys = nodes.mapping(node, "insets", known: edges.map(\.0))
        for (name, edge) in edges {
            guard let entry = keys[name] else { continue }
            insets[keyPath: edge] = nodes.number(entry.value, name, in: ConfigurationLimits.inset) ?? 0
        }
        return insets
    }

    private mutating func length(_ entry: YAMLNode.Entry?) -> Double? {
        entry.flatMap { nodes.number($0.value, $0.key, in: ConfigurationLimits.length) }
    }

    /// A text that passes the check.
    private mutating func checked(_ entry: YAMLNode.Entry?, _ problem: (String) -> String?) -> String? {
        guard let entry, let text = nodes.text(entry.value, entry.key) else { return nil }
        guard let problem = problem(text) else { return text }
        nodes.fail(entry.value.mark, problem)
        return nil
    }

    /// By which names widgets call displays: that of the family, and that of each mode.
    private static func names(of displays: [Display]) -> [String: [DisplayName]] {
        var names: [String: [DisplayName]] = [:]
        for display in displays {
            let suffix = display.mode.map { "-\($0.rawValue)" } ?? ""
            names[String(display.name.rawValue.dropLast(suffix.count)), default: []].append(display.name)
        }
        return names
    }

    // MARK: Widgets

    private mutating func decodeWidgets(
        _ node: YAMLNode,
        families: [String: [DisplayName]],
        of configuration: TidingsConfiguration
    ) -> [TidingsConfiguration.Widget] {
        let entries = nodes.entries(node, "widgets")
        if entries.count > ConfigurationLimits.maximumWidgets {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumWidgets) widgets")
            return []
        }
        return entries.compactMap { decodeWidget($0, families: families, of: configuration) }
            .sorted { $0.id < $1.id }
    }

    private mutating func decodeWidget(
        _ entry: YAMLNode.Entry,
        families: [String: [DisplayName]],
        of configuration: TidingsConfiguration
    ) -> TidingsConfiguration.Widget? {
        let what = "widget '\(entry.key)'"
        let id = nodes.identifier(entry.key, at: entry.keyMark, WidgetID.self)
        let keys = nodes.mapping(
            entry.value,
            what,
            known: ["kind", "source", "interval", "minimumInterval", "rows", "timeZone", "displays"] + KindKeys.known
        )
        var kind: WidgetKind?
        if let choice = keys["kind"] {
            kind = nodes.choice(choice.value, choice.key, WidgetKind.self)
        } else {
            let kinds = NodeDecoder.list(WidgetKind.allCases.map(\.rawValue))
            nodes.fail(entry.keyMark, "\(what) has no kind (\(kinds))")
        }
        var source: TidingsConfiguration.Source?
        var isPushed = false
        if let place = keys["source"] {
            if case .scalar(TidingsConfiguration.pushedSource, _) = place.value.content { isPushed = true }
            if !isPushed { source = decodeSource(place.value, fetching: configuration.fetching) }
        } else {
            nodes.fail(entry.keyMark, "\(what) has no source (a URL, or '\(TidingsConfiguration.pushedSource)')")
        }
        let rows = keys["rows"].map { decodeRows($0.value) } ?? RowLimits()
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let interval = interval(keys["interval"])
        let minimumInterval = minimumInterval(keys["minimumInterval"])
        var displays = configuration.displays.map(\.name)
        if let names = keys["displays"] {
            let chosen = decodeDisplayNames(names.value, families: families)
            displays = displays.filter(chosen.contains)
        }
        guard let kind else { return nil }
        // Where the displays are in several zones, the days of a forecast are those of the first.
        let zone = timeZone ?? displays.first.flatMap(configuration.display)?.timeZone
        let own = KindKeys(keys, of: kind, what, timeZone: zone ?? TidingsConfiguration.defaultTimeZone, &nodes)
        for (icon, mark) in own.unknownIcons {
            let closest = EditDistance.closest(to: icon, among: SymbolCatalog.names)
            warn(
                mark,
                "there is no symbol for the icon '\(icon)'"
                    + (closest.map { "; did you mean '\($0)'?" } ?? "; a square stands for it in pictures")
            )
        }
        guard let id, source != nil || isPushed else { return nil }
        return TidingsConfiguration.Widget(
            id: id,
            definition: WidgetDefinition(
                kind: kind,
                rows: rows,
                timeZone: timeZone,
                name: own.name,
                actions: own.actions,
                insets: own.insets,
                link: own.link,
                hideWhenEmpty: own.hideWhenEmpty,
                dateStyle: own.dateStyle,
                show: own.show
            ),
            options: own.options,
            source: source,
            interval: interval ?? configuration.fetching.interval,
            minimumInterval: minimumInterval ?? configuration.fetching.minimumInterval,
            displays: displays
        )
    }

    private mutating func decodeSource(
        _ node: YAMLNode,
        fetching: TidingsConfiguration.Fetching
    ) -> TidingsConfiguration.Source? {
        guard case .mapping = node.content else {
            guard !node.isNull, case .scalar = node.content else {
                nodes.fail(node.mark, "source is a URL, or a mapping with url, not \(node.kind)")
                return nil
            }
            return url(node).map {
                checkNetwork(of: $0, at: node.mark, isAllowed: fetching.allowPrivateNetworks)
                return TidingsConfiguration.Source(url: $0, allowPrivateNetworks: fetching.allowPrivateNetworks)
            }
        }
        let keys = nodes.mapping(node, "source", known: ["url", "headers", "allowPrivateNetworks", "file"])
        if let file = keys["file"] {
            if let other = keys.values.first(where: { $0.key != "file" }) {
                nodes.fail(other.keyMark, "a source that is a file has no \(other.key)")
            }
            return decodeFile(file.value, fetching: fetching)
        }
        let headers = keys["headers"].map { decodeHeaders($0.value) } ?? [:]
        var allowPrivateNetworks = fetching.allowPrivateNetworks
        if let flag = keys["allowPrivateNetworks"] {
            allowPrivateNetworks = nodes.flag(flag.value, flag.key) ?? allowPrivateNetworks
        }
        guard let place = keys["url"] else {
            nodes.fail(node.mark, "source has no url and no file")
            return nil
        }
        return url(place.value).map {
            checkNetwork(of: $0, at: place.value.mark, isAllowed: allowPrivateNetworks)
            return TidingsConfiguration.Source(url: $0, headers: headers, allowPrivateNetworks: allowPrivateNetworks)
        }
    }

    private mutating func checkNetwork(of url: String, at mark: YAMLMark, isAllowed: Bool) {
        guard !isAllowed, let kind = PrivateHost.kind(url: url) else { return }
        refusals.append(
            ConfigurationError(
                .file(file, mark),
                "'\(url)' is on a \(kind) network, which is not asked; if that is wanted, set allowPrivateNetworks: true "
                    + "beside its url, or in fetching for all"
            )
        )
    }

    private mutating func url(_ node: YAMLNode) -> String? {
        guard let text = nodes.text(node, "url") else { return nil }
        guard let problem = RequestSyntax.problem(url: text) else { return text }
        nodes.fail(node.mark, problem)
        return nil
    }

    private mutating func decodeHeaders(_ node: YAMLNode) -> [String: String] {
        var headers: [String: String] = [:]
        var seen: Set<String> = []
        let entries = nodes.entries(node, "headers")
        if entries.count > ConfigurationLimits.maximumHeaders {
            nodes.fail(node.mark, "more than \(ConfigurationLimits.maximumHeaders) headers")
        }
        for entry in entries {
            if let problem = RequestSyntax.problem(headerName: entry.key) {
                nodes.fail(entry.keyMark, problem)
            } else if !seen.insert(entry.key.lowercased()).inserted {
                nodes.fail(entry.keyMark, "the header '\(entry.key)' is given twice (case does not count)")
            }
            guard let value = nodes.text(entry.value, "a header's value") else { continue }
            if let problem = RequestSyntax.problem(headerValue: value) { nodes.fail(entry.value.mark, problem) }
            do throws(SecretText.Problem) {
                secrets.need(try SecretText.pieces(of: value), at: .file(file, entry.value.mark))
            } catch {
                nodes.fail(entry.value.mark, error.message)
            }
            headers[entry.key] = value
        }
        return headers
    }

    private mutating func decodeRows(_ node: YAMLNode) -> RowLimits {
        var rows = RowLimits()
        let keys = nodes.mapping(node, "rows", known: ["collapsed", "expanded"])
        if let entry = keys["collapsed"] {
            rows.collapsed = nodes.integer(entry.value, entry.key, in: ConfigurationLimits.rows) ?? rows.collapsed
        }
        if let entry = keys["expanded"] {
            rows.expanded = nodes.integer(entry.value, entry.key, in: ConfigurationLimits.rows) ?? rows.expanded
        } else {
            rows.expanded = max(rows.expanded, rows.collapsed)
        }
        if rows.expanded < rows.collapsed, let entry = keys["expanded"] {
            nodes.fail(entry.value.mark, "expanded (\(rows.expanded)) is below collapsed (\(rows.collapsed))")
        }
        return rows
    }

    private mutating func decodeDisplayNames(
        _ node: YAMLNode,
        families: [String: [DisplayName]]
    ) -> Set<DisplayName> {
        guard let items = nodes.items(node, "displays") else { return [] }
        if items.isEmpty { nodes.fail(node.mark, "displays is an empty list; leave it out to have all") }
        var chosen: Set<DisplayName> = []
        for item in items {
            guard let text = nodes.text(item, "a display's name") else { continue }
            let variants = families.values.joined()
            if let names = families[text] {
                chosen.formUnion(names)
            } else if let name = variants.first(where: { $0.rawValue == text }) {
                chosen.insert(name)
            } else {
                let known = families.keys.sorted() + variants.map(\.rawValue).sorted()
                let suggestion = EditDistance.closest(to: text, among: Set(known).sorted())
                nodes.fail(
                    item.mark,
                    "there is no display '\(text)'"
                        + (suggestion.map { "; did you mean '\($0)'?" }
                            ?? "; there are \(families.keys.sorted().joined(separator: ", "))")
                )
            }
        }
        return chosen
    }

    private mutating func warn(_ mark: YAMLMark, _ message: String) {
        warnings.append("\(file):\(mark.line):\(mark.column): \(message)")
    }

    /// A path of the file, which is relative to its folder.
    func path(_ text: String) -> String {
        if text.hasPrefix("/") || folder.isEmpty { return (text as NSString).standardizingPath }
        return ((folder as NSString).appendingPathComponent(text) as NSString).standardizingPath
    }
}

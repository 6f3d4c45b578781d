// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A decoder that creates a configuration from a YAML document and collects all errors.
///
/// In the result, defaults replace most invalid values. A service must not use the result if there are errors.
struct ConfigurationDecoder {
    var nodes: NodeDecoder
    /// The folder that contains the decoded file; relative paths in the file start from this folder.
    let folder: String
    let file: String
    var secrets = Secrets()
    /// The ids of widgets in destinations.
    var widgetReferences: [WidgetReference] = []
    /// The variables that destinations use.
    var destinationSecrets = Secrets()
    var warnings: [String] = []
    /// An error for each source that a fetcher would reject, because its host is on a private or loopback network.
    var rejectedSources: [ConfigurationError] = []

    var errors: [ConfigurationError] { nodes.errors }

    init(file: String) {
        nodes = NodeDecoder(file: file)
        self.file = file
        folder = FilePath.folder(of: file)
    }

    mutating func decode(_ document: YAMLParser.Document, into configuration: inout TidingsConfiguration) {
        defer { finish(&configuration) }
        for duplicate in document.duplicates { nodes.fail(duplicate.mark, duplicate.message) }
        configuration.store = path(TidingsConfiguration.defaultStore)
        guard let root = document.root else { return }
        let keys = nodes.mapping(
            root,
            "the configuration",
            known: [
                "store", "bus", "fetching", "history", "gateway", "displays", "boards", "panels", "widgets",
                "destinations", "devices",
            ],
            foreign: .root
        )
        if let store = keys["store"], let text = nodes.text(store.value, "store") {
            if let problem = TidingsConfiguration.problem(store: text) {
                nodes.fail(store.value.mark, "store \(problem)")
            } else {
                configuration.store = text.contains("://") ? text : path(store) ?? configuration.store
            }
        }
        if let bus = keys["bus"] { decodeBus(bus.value, into: &configuration.bus) }
        if let fetching = keys["fetching"] { decodeFetching(fetching.value, into: &configuration.fetching) }
        if let gateway = keys["gateway"] { decodeGateway(gateway.value, into: &configuration.gateway) }
        if let history = keys["history"] { decodeHistory(history.value, into: &configuration.history) }
        var displayNames: [String: [DisplayName]] = Self.names(of: configuration.displays)
        if let displays = keys["displays"], !displays.value.isNull {
            (configuration.displays, displayNames) = decodeDisplays(displays.value)
        }
        if let boards = keys["boards"] {
            configuration.boardEntries = decodeBoards(boards.value)
            checkNames(of: keys["displays"]?.value, against: configuration.boardEntries)
        }
        if let panels = keys["panels"] {
            configuration.panels = decodeSleepingPanels(panels.value, boards: &configuration.boardEntries)
        }
        if let destinations = keys["destinations"] {
            let names = DestinationNames(displays: displayNames, boards: configuration.boardEntries.map(\.id))
            configuration.destinations = decodeDestinations(destinations.value, names)
        }
        if let devices = keys["devices"] { decodeDevices(devices.value, into: &configuration.devices) }
        if let widgets = keys["widgets"] {
            configuration.widgets = decodeWidgets(widgets.value, displayNames: displayNames, of: configuration)
        }
    }

    /// Adds the secrets, the rejected sources and the warnings to the configuration.
    func finish(_ configuration: inout TidingsConfiguration) {
        configuration.secrets.add(secrets)
        configuration.destinationSecrets.add(destinationSecrets)
        configuration.widgetReferences += widgetReferences
        configuration.rejectedSources += rejectedSources
        configuration.warnings += warnings
    }

    // MARK: Bus and fetching

    mutating func decodeBus(_ node: YAMLNode, into bus: inout TidingsConfiguration.Bus) {
        let keys = nodes.mapping(node, "bus", known: ["address", "allowWithoutKeys"])
        if let address = keys["address"], let text = nodes.text(address.value, "address") {
            let resolved = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init).map {
                endpoint in
                guard endpoint.hasPrefix("ipc://"), endpoint != "ipc://" else { return endpoint }
                return "ipc://" + path(String(endpoint.dropFirst("ipc://".count)))
            }.joined(separator: ",")
            // A command that reads an invalid file must fail with this address, and not connect to the default bus.
            bus.address = resolved
            do throws(BusAddressError) {
                _ = try BusAddresses(resolved)
            } catch {
                nodes.fail(address.value.mark, error.description)
            }
        }
        flag(keys["allowWithoutKeys"], &bus.allowWithoutKeys)
    }

    mutating func decodeFetching(_ node: YAMLNode, into fetching: inout TidingsConfiguration.Fetching) {
        let keys = nodes.mapping(
            node,
            "fetching",
            known: [
                "interval", "minimumInterval", "allowPrivateNetworks", "hostConcurrency", "hostSpacing",
                "leaseDuration", "fileDirectory",
            ],
            foreign: .fetching
        )
        if isWhenShown(keys["interval"]), let entry = keys["interval"] {
            nodes.fail(
                entry.value.mark,
                "interval: \(TidingsConfiguration.Widget.whenShown) belongs to a widget, beside its source; give a duration here"
            )
        }
        (fetching.interval, fetching.minimumInterval) = intervals(keys, inherited: fetching)
        flag(keys["allowPrivateNetworks"], &fetching.allowPrivateNetworks)
        integer(keys["hostConcurrency"], in: ConfigurationLimits.hostConcurrency, &fetching.hostConcurrency)
        duration(keys["hostSpacing"], in: ConfigurationLimits.hostSpacing, &fetching.hostSpacing)
        fetching.fileDirectory = path(keys["fileDirectory"]) ?? fetching.fileDirectory
        duration(keys["leaseDuration"], in: ConfigurationLimits.leaseDuration, &fetching.leaseDuration)
    }

    mutating func decodeHistory(_ node: YAMLNode, into history: inout TidingsConfiguration.History) {
        let keys = nodes.mapping(node, "history", known: ["cycles", "age", "contentKilobytes"])
        integer(keys["cycles"], in: ConfigurationLimits.historyCycles, &history.cycles)
        duration(keys["age"], in: ConfigurationLimits.historyAge, &history.age)
        let kibibytes = ConfigurationLimits.historyContentKibibytes
        integer(keys["contentKilobytes"], in: kibibytes, &history.contentKibibytes)
    }

    // MARK: Values that keep their default if the key is missing or its value invalid

    mutating func flag(_ entry: YAMLNode.Entry?, _ value: inout Bool) {
        value = entry.flatMap { nodes.flag($0.value, $0.key) } ?? value
    }

    mutating func integer(_ entry: YAMLNode.Entry?, in range: ClosedRange<Int>, _ value: inout Int) {
        value = entry.flatMap { nodes.integer($0.value, $0.key, in: range) } ?? value
    }

    mutating func duration(_ entry: YAMLNode.Entry?, in range: ClosedRange<Duration>, _ value: inout Duration) {
        value = entry.flatMap { nodes.duration($0.value, $0.key, in: range) } ?? value
    }

    /// Returns the intervals that the keys `interval` and `minimumInterval` set, or else those of `inherited`.
    ///
    /// The interval in the result is never shorter than the minimum. A key that is set lowers or raises the inherited
    /// value of the other one. If both are set and contradict each other, the minimum counts, and a warning says so.
    mutating func intervals(
        _ keys: [String: YAMLNode.Entry],
        inherited: TidingsConfiguration.Fetching
    ) -> (interval: Duration, minimumInterval: Duration) {
        let isWhenShown = self.isWhenShown(keys["interval"])
        let interval =
            isWhenShown
            ? nil : keys["interval"].flatMap { nodes.duration($0.value, $0.key, in: ConfigurationLimits.interval) }
        let minimum = keys["minimumInterval"].flatMap {
            nodes.duration($0.value, $0.key, in: ConfigurationLimits.minimumInterval)
        }
        guard let interval else {
            let minimum = minimum ?? inherited.minimumInterval
            return (isWhenShown ? minimum : max(inherited.interval, minimum), minimum)
        }
        guard let minimum else { return (interval, min(interval, inherited.minimumInterval)) }
        if interval < minimum, let mark = keys["interval"]?.value.mark {
            let (shorter, longer) = (DurationText.text(interval), DurationText.text(minimum))
            warn(
                mark,
                "interval (\(shorter)) is shorter than minimumInterval (\(longer)) beside it, so attempts are \(longer) "
                    + "apart; remove minimumInterval, or lower it to \(shorter)"
            )
        }
        return (max(interval, minimum), minimum)
    }

    /// Returns whether an interval is `whenShown`.
    func isWhenShown(_ interval: YAMLNode.Entry?) -> Bool {
        guard let interval, case .scalar(TidingsConfiguration.Widget.whenShown, _) = interval.value.content else {
            return false
        }
        return true
    }

    mutating func warn(_ mark: YAMLMark, _ message: String) {
        warnings.append("\(file):\(mark.line):\(mark.column): \(message)")
    }

    /// Returns the path that is the value of an entry; nil if there is no entry, or if its value is an error.
    mutating func path(_ entry: YAMLNode.Entry?) -> String? {
        guard let entry, let text = nodes.text(entry.value, entry.key) else { return nil }
        guard !text.hasPrefix("~") else {
            let problem = "'~' is not replaced, as services may have another home; write the path"
            nodes.fail(entry.value.mark, "\(entry.key): \(problem)")
            return nil
        }
        return path(text)
    }

    /// Returns a path from the configuration file in a form that the process can open.
    ///
    /// A relative path in the file starts from ``folder``. The result is absolute if `text` or ``folder`` is absolute.
    /// Otherwise, the result is relative to the working folder.
    func path(_ text: String) -> String {
        if text.hasPrefix("/") || folder.isEmpty { return (text as NSString).standardizingPath }
        return ((folder as NSString).appendingPathComponent(text) as NSString).standardizingPath
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Telemetry
public import WidgetSchema

/// The configuration of all services: the bus, the store, the displays and the widgets.
///
/// It is complete and valid: missing values have their defaults. `load` creates it from `tidings.yml` and the
/// environment.
public struct TidingsConfiguration: Sendable, Equatable {
    /// The settings of the bus.
    public struct Bus: Sendable, Equatable {
        public static let defaultAddress = "tcp://127.0.0.1:5555"

        /// The address of the bus: `tcp://HOST:PORT`, `ipc://FOLDER`, or three endpoints separated by commas.
        ///
        /// The three endpoints are those for publishers, for subscribers and for requests, in this order. If there are
        /// two buses, the text contains the addresses of both, separated by a comma. `BusAddresses` parses the text.
        public var address = defaultAddress
        /// A Boolean value that indicates whether the bus may listen on addresses that other machines can reach.
        ///
        /// The bus has no keys to authenticate clients: it trusts every client that can reach it.
        public var allowWithoutKeys = false

        /// The error message for an address that other machines can reach although `allowWithoutKeys` is false; nil if
        /// the address is allowed.
        public var exposure: String? {
            guard !allowWithoutKeys, let addresses = try? BusAddresses(address),
                let endpoint = addresses.all.flatMap(\.endpoints).first(where: { !$0.isLocal })
            else { return nil }
            return
                "the bus would listen at \(endpoint), which other machines can reach, and would trust all of them; use a "
                + "loopback address or ipc://FOLDER, or set bus.allowWithoutKeys: true"
        }
    }

    /// The intervals and limits of requests to origins.
    public struct Fetching: Sendable, Equatable {
        public static let defaultInterval: Duration = .seconds(15 * 60)
        public static let defaultMinimumInterval: Duration = .seconds(5 * 60)
        public static let defaultHostSpacing: Duration = .seconds(1)
        public static let defaultLeaseDuration: Duration = .seconds(30)

        /// The default interval between two fetch attempts for a widget; in a loaded configuration, it is not shorter than
        /// ``minimumInterval``.
        public var interval = defaultInterval
        /// The default minimum time between two fetch attempts for a widget.
        ///
        /// It limits scheduled attempts, the first back-off, those before a panel shows a widget, those at the configured
        /// address of a moved source, and the command `performUpdate`, which uses the stored content if less time has passed.
        /// The command `refresh` may come earlier.
        public var minimumInterval = defaultMinimumInterval
        /// A Boolean value that indicates whether origins on private and loopback addresses are allowed.
        public var allowPrivateNetworks = false
        /// The maximum number of concurrent requests to one host, from all fetchers together.
        public var hostConcurrency = 1
        /// The minimum time between the starts of two requests to one host, from the same or different fetchers.
        public var hostSpacing = defaultHostSpacing
        /// The duration of a lease; if a fetcher dies, its sources are fetched again after this time.
        public var leaseDuration = defaultLeaseDuration
        /// The folder that contains the files of file sources, absolute or relative to the working folder; nil if none
        /// is configured.
        public var fileDirectory: String?

        /// The timeout for the cache's answer to a command or a push.
        ///
        /// It is the duration of a lease plus a reserve, because the cache may answer only after a fetch.
        public var commandTimeout: Duration { leaseDuration + .seconds(10) }
    }

    /// The limits on the number, the age and the size of the cycles that the cache stores.
    ///
    /// The newest cycle of each widget is always stored. Older cycles are stored while all limits allow it.
    public struct History: Sendable, Equatable {
        public static let defaultCycles = 64
        public static let defaultAge: Duration = .seconds(7 * 86_400)
        public static let defaultContentKibibytes = 256

        /// The maximum number of stored cycles of each widget, including its newest cycle.
        public var cycles = defaultCycles
        public var age = defaultAge
        /// The maximum total size of the contents in the stored cycles of all widgets of one source, in KiB.
        ///
        /// A content that several cycles share counts once. The content of each widget's newest cycle counts too, but
        /// it is stored even if the limit is exceeded.
        public var contentKibibytes = defaultContentKibibytes
    }

    /// The source of a widget's content: an address with headers, or a file.
    public struct Source: Sendable, Equatable {
        /// The address of the source: a URL, or `file:` and a path.
        ///
        /// A URL has the scheme `http` or `https` and a host, but no user, password or fragment. A path is relative to
        /// ``Fetching/fileDirectory``.
        public var url: String
        /// Additional request headers by name; in a value, `${NAME}` stands for one of
        /// ``TidingsConfiguration/secrets``.
        public var headers: [String: String] = [:]
        public var allowPrivateNetworks = false

        /// The path below ``Fetching/fileDirectory``; nil if the source is not a file.
        public var file: String? { FileURL.path(of: url) }
    }

    /// One widget: its definition, its source, its intervals and its displays.
    public struct Widget: Sendable, Equatable {
        /// The value of `interval` for a source that is fetched just before a panel shows it.
        public static let whenShown = "whenShown"

        public var id: WidgetID
        public var definition: WidgetDefinition
        /// The widget's kind and the options with which the bytes of the source are parsed.
        public var parsing: Parsing
        /// The source; nil if the content is pushed and nothing is fetched.
        public var source: Source?
        /// The interval between two fetch attempts; in a loaded configuration, it is not shorter than
        /// ``minimumInterval``.
        public var interval: Duration
        /// The minimum time between two fetch attempts; see ``Fetching/minimumInterval``.
        public var minimumInterval: Duration
        /// A Boolean value that indicates whether the source is fetched just before a panel shows the widget, and not at an
        /// interval; then ``interval`` is ``minimumInterval``.
        public var isFetchedWhenShown: Bool
        /// The time without a success after which panels mark the content as stale; nil if they never do.
        public var staleAfter: Duration?
        /// The names of the displays that show the widget, in the order of the widget's own list.
        ///
        /// A widget without a list is on all displays, in the order of `TidingsConfiguration.displays`. The first display
        /// determines the language of the widget's summary.
        public var displays: [DisplayName]
        /// The zero-based index of the widget in the list of all widgets in file order.
        ///
        /// The widgets of the main file come first, then the widgets of the files in `widgets.d`, sorted by file name.
        /// Web pages show the widgets in this order.
        public var fileIndex = 0

        public init(
            id: WidgetID,
            definition: WidgetDefinition,
            parsing: Parsing? = nil,
            source: Source?,
            interval: Duration = Fetching.defaultInterval,
            minimumInterval: Duration = Fetching.defaultMinimumInterval,
            isFetchedWhenShown: Bool = false,
            staleAfter: Duration? = nil,
            displays: [DisplayName]
        ) {
            self.id = id
            self.definition = definition
            self.parsing = parsing ?? Parsing(kind: definition.kind)
            self.source = source
            self.interval = interval
            self.minimumInterval = minimumInterval
            self.isFetchedWhenShown = isFetchedWhenShown
            self.staleAfter = staleAfter
            self.displays = displays
        }

        /// Returns the default of ``staleAfter``: three intervals between fetch attempts, but at least an hour.
        public static func defaultStaleAfter(interval: Duration) -> Duration { max(interval * 3, .seconds(3_600)) }
    }

    /// The level and the format of the log.
    public struct Log: Sendable, Equatable {
        public var level = LogLevel.info
        public var format = LogFormat.text
    }

    /// The default folder of the stores, relative to the folder of the configuration file.
    public static let defaultStore = "tidings-data"
    /// The value of the key `source` in the configuration file for a widget whose content is pushed.
    public static let pushedSource = "push"

    /// The path of the configuration file that was read; nil if there was none.
    public var file: String?
    /// The folder of the stores, or the address of a PostgreSQL database.
    ///
    /// A folder is absolute, or relative to the working folder.
    public var store = defaultStore
    /// Returns an error message if a text is neither a folder nor the address of a PostgreSQL database, and nil otherwise.
    ///
    /// The message does not contain the text, which may contain a password.
    static func problem(store text: String) -> String? {
        if text.hasPrefix("~") { return "must not begin with '~', as services may have another home; write the path" }
        let isServer = ["postgresql://", "postgres://"].contains(where: text.hasPrefix)
        return isServer || !text.contains("://") ? nil : "must be a folder, or postgresql://USER@HOST/DATABASE"
    }

    /// The folder for files that the services keep besides their stores, such as tokens.
    ///
    /// This is the folder that contains the stores. If the stores are in a PostgreSQL database, it is the folder
    /// `defaultStore` in the working folder.
    public var storeFolder: String { store.contains("://") ? Self.defaultStore : store }
    /// The path of the folder with what the gateway knows of panels that sleep: hashes of their keys, and their pictures.
    public var panelFolder: String { storeFolder + "/panels" }
    public var bus = Bus()
    public var fetching = Fetching()
    public var history = History()
    public var gateway = Gateway()
    /// All displays in the order of the file.
    ///
    /// If the family of a configured display has compact and expanded mode, there is one display for each mode.
    public var displays = TidingsConfiguration.defaultDisplays
    /// All widgets, sorted by id.
    public var widgets: [Widget] = []
    /// All boards in the order of the file.
    public internal(set) var boards: [Board] = []
    /// All panels that sleep between their requests, in the order of the file.
    public internal(set) var panels: [SleepingPanel] = []
    /// The boards as the file describes them; ``boards`` also depends on the widgets of all files.
    var boardEntries: [BoardEntry] = []
    /// The destinations of the service `delivery`, in the order of the file.
    public var destinations: [Destination] = []
    /// The settings for devices that register for pushes.
    public var devices = Devices()
    /// The ids of widgets in ``destinations``.
    var widgetReferences: [ConfigurationDecoder.WidgetReference] = []
    /// The values of the environment variables that destinations use.
    public var destinationSecrets = Secrets()
    /// The displays that show the cells of boards, for each widget.
    var cellDisplays: [WidgetID: [Display]] = [:]
    /// The name of this process.
    public var instance: InstanceName
    public var log = Log()
    /// The warnings about valid but suspicious settings; services log them when they start.
    public var warnings: [String] = []
    /// An error for each source that fetchers would reject, because its host is on a private or loopback network.
    public var rejectedSources: [ConfigurationError] = []
    /// The values of the environment variables that the headers of sources use.
    public var secrets = Secrets()
    /// The digest of the contents of all configuration files that were read; nil if no file was read.
    public var digest: ContentDigest?

    /// Returns the display with this name; nil if there is none.
    public func display(_ name: DisplayName) -> Display? { displays.first { $0.name == name } }

    /// Returns the displays of a widget: those of its list, then those of its cells on boards.
    ///
    /// ``Display/largestMode`` of a display in compact mode is `compact` if the widget is not on the device's display in
    /// expanded mode.
    public func displays(of widget: Widget) -> [Display] {
        let displays = widget.displays.compactMap(display)
        let expanded = Set(displays.filter { $0.mode == .expanded }.map(\.device))
        return displays.map { display in
            var display = display
            if display.mode == .compact, !expanded.contains(display.device) { display.largestMode = .compact }
            return display
        } + (cellDisplays[widget.id] ?? [])
    }

    /// Returns the widget with this id; nil if there is none.
    public func widget(_ id: WidgetID) -> Widget? { widgets.first { $0.id == id } }
}

extension TidingsConfiguration.Source {
    /// Creates a file source; the path is below ``TidingsConfiguration/Fetching/fileDirectory``.
    init(file path: String) {
        self.init(url: FileURL.url(of: path))
    }
}

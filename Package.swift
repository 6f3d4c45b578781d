// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// The project's own pkg-config file for Pango; in a folder with a space, Pango's file.
///
/// The flags of Pango's file contain `-pthread`, and SwiftPM warns about that in each build. SwiftPM splits the name of
/// a pkg-config file at spaces.
let pango =
    Context.packageDirectory.contains(" ")
    ? "pangocairo" : Context.packageDirectory + "/Shared/CLibraries/CPango/pango.pc"

/// A module map for a library of the system; `make` installs its Debian package.
func cLibrary(_ name: String, pkgConfig: String? = nil, package: String) -> Target {
    .systemLibrary(
        name: name,
        path: "Shared/CLibraries/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt([package])]
    )
}

/// A module that at least two services use.
func shared(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(name)", swiftSettings: swiftSettings)
}

/// An executable of its own; no service imports another.
func service(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Services/\(name)",
        resources: resources,
        swiftSettings: swiftSettings
    )
}

/// The tests of one module, or of the running system; `Fixtures` are files that a test reads.
func tests(_ name: String, _ dependencies: [Target.Dependency], fixtures: Bool = false) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        path: "Tests/\(name)",
        resources: fixtures ? [.copy("Fixtures")] : [],
        swiftSettings: swiftSettings
    )
}

let package = Package(
    name: "tidings",
    products: [
        .executable(name: "bus", targets: ["Bus"]),
        .executable(name: "fetcher", targets: ["Fetcher"]),
        .executable(name: "cache", targets: ["Cache"]),
        .executable(name: "layout", targets: ["Layout"]),
        .executable(name: "notifier", targets: ["Notifier"]),
        .executable(name: "delivery", targets: ["Delivery"]),
        .executable(name: "gateway", targets: ["Gateway"]),
        .executable(name: "tidings", targets: ["CommandLineTool"]),
        .library(name: "MessageBus", targets: ["MessageBus", "WidgetSchema", "EventStreams"]),
        // For the benchmarks, which are a package of their own.
        .library(name: "SourceParsing", targets: ["SourceParsing", "WidgetSchema"]),
        .library(name: "LayoutEngine", targets: ["LayoutEngine", "WidgetSchema"]),
        .library(name: "CPango", targets: ["CPango"]),
        // Only tests use these two, with LD_PRELOAD: SwiftPM makes a shared object of a product alone, not of a target.
        .library(name: "PowerCut", type: .dynamic, targets: ["PowerCut"]),
        .library(name: "DiskFault", type: .dynamic, targets: ["DiskFault"]),
    ],
    targets: [
        // The C border: module maps and variadic shims only.
        // CZeroMQ has no pkgConfig: Debian's libzmq.pc carries flags that SwiftPM refuses.
        cLibrary("CZeroMQ", package: "libzmq3-dev"),
        cLibrary("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        cLibrary("CCompression", package: "zlib1g-dev libbrotli-dev libzstd-dev"),
        cLibrary("CLibXML2", pkgConfig: "libxml-2.0", package: "libxml2-dev"),
        cLibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        cLibrary("CPostgreSQL", pkgConfig: "libpq", package: "libpq-dev"),
        cLibrary("CPango", pkgConfig: pango, package: "libpango1.0-dev"),
        cLibrary("CPNG", package: "libpng-dev"),
        cLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        cLibrary("CYAML", pkgConfig: "yaml-0.1", package: "libyaml-dev"),
        cLibrary("CGlibc", package: "libc6-dev"),
        cLibrary("COpenSSL", pkgConfig: "libcrypto", package: "libssl-dev"),
        cLibrary("CMosquitto", package: "libmosquitto-dev"),

        // The vocabulary and the rules, without I/O.
        shared("Text"),
        // The one lock, which the thread sanitizer understands.
        shared("Locking"),
        shared("JSON"),
        shared("WidgetSchema", ["Text", "JSON"]),
        shared("EventStreams", ["Text", "WidgetSchema"]),
        shared("Telemetry", ["Locking", "WidgetSchema", "JSON"]),
        shared("Cryptography", ["COpenSSL"]),
        shared("CommandOptions", ["Text"]),
        shared("SourceParsing", ["WidgetSchema", "Text", "JSON", "Cryptography", "CLibXML2"]),
        // Content and display in, layout and picture out.
        shared("LayoutEngine", ["Locking", "WidgetSchema", "Cryptography", "CPango", "CPNG"]),
        // The loop of every service.
        shared("ServiceEngine", ["WidgetSchema"]),

        // The borders to the world.
        shared("MessageBus", ["Locking", "WidgetSchema", "Telemetry", "CZeroMQ"]),
        shared("Configuration", ["WidgetSchema", "Text", "Telemetry", "CommandOptions", "Cryptography", "CYAML"]),
        shared(
            "ServiceRuntime",
            [
                "Locking", "WidgetSchema", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "CommandOptions", "CGlibc",
            ]
        ),
        shared("HTTPTransport", ["Locking", "WidgetSchema", "CCurl", "CCompression"]),
        shared("WebServer", ["Locking", "WidgetSchema", "CMicroHTTPD"]),
        shared("AccessTokens", ["Configuration", "Cryptography"]),
        shared("Storage", ["Locking", "ServiceEngine", "WidgetSchema", "Telemetry", "CSQLite", "CPostgreSQL"]),

        // The rules for origins, by which fetcher, cache and gateway decide, and which `tidings inspect` explains.
        shared("OriginRules", ["Text", "WidgetSchema"]),
        shared(
            "SourceFetching",
            ["Locking", "WidgetSchema", "HTTPTransport", "SourceParsing", "Cryptography", "OriginRules"]
        ),

        // The services.
        service(
            "Bus",
            [
                "Locking",
                "WidgetSchema", "Cryptography", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "CommandOptions",
                "ServiceRuntime",
            ]
        ),
        service(
            "Fetcher",
            [
                "Locking",
                "WidgetSchema", "Telemetry", "MessageBus", "ServiceEngine", "Configuration", "CommandOptions",
                "ServiceRuntime", "HTTPTransport", "SourceFetching", "SourceParsing", "OriginRules",
            ]
        ),
        service(
            "Cache",
            [
                "WidgetSchema", "EventStreams", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "ServiceRuntime", "Storage", "Cryptography", "OriginRules",
            ]
        ),
        service(
            "Layout",
            [
                "CommandOptions", "Locking",
                "WidgetSchema", "EventStreams", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "ServiceRuntime", "LayoutEngine", "Cryptography", "JSON",
            ]
        ),
        service(
            "Notifier",
            [
                "WidgetSchema", "EventStreams", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "ServiceRuntime", "Storage",
            ]
        ),
        service(
            "Delivery",
            [
                "Locking",
                "WidgetSchema", "EventStreams", "Text", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "CommandOptions", "ServiceRuntime", "Storage", "Cryptography", "HTTPTransport", "JSON", "CMosquitto",
            ]
        ),
        service(
            "Gateway",
            [
                "Locking",
                "WidgetSchema", "EventStreams", "Telemetry", "MessageBus", "ServiceEngine", "Configuration",
                "CommandOptions", "Text", "ServiceRuntime", "Cryptography", "WebServer", "AccessTokens", "OriginRules",
            ],
            // The files of the page, and the schemas that `make contract` generates.
            resources: [.copy("Page/Files"), .embedInCode("OpenAPI/schemas.json")]
        ),
        service(
            "CommandLineTool",
            [
                "Locking",
                "WidgetSchema", "JSON", "EventStreams", "Telemetry", "MessageBus", "Configuration", "CommandOptions",
                "ServiceRuntime", "HTTPTransport",
                "SourceParsing", "Text", "Cryptography", "WebServer", "SourceFetching", "OriginRules",
                "Storage", "AccessTokens",
            ]
        ),

        // The tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "WidgetSchema", "MessageBus", "Configuration", "ServiceRuntime", "Telemetry", "Bus", "Storage",
                "Cryptography",
            ],
            path: "Tests/TestSupport",
            swiftSettings: swiftSettings
        ),
        // The origin of the demo, with answers that tests script.
        .target(
            name: "OriginSupport",
            dependencies: ["CommandLineTool", "WebServer"],
            path: "Tests/OriginSupport",
            swiftSettings: swiftSettings
        ),
        // A panel with its firmware, as far as a server can notice it.
        .target(
            name: "PanelSupport",
            dependencies: ["WebServer", "WidgetSchema"],
            path: "Tests/PanelSupport",
            swiftSettings: swiftSettings
        ),
        tests("TextTests", ["Text"]),
        tests("JSONTests", ["JSON"]),
        tests("WidgetSchemaTests", ["WidgetSchema", "JSON"], fixtures: true),
        tests("EventStreamsTests", ["EventStreams", "WidgetSchema"]),
        tests("ServiceEngineTests", ["ServiceEngine", "WidgetSchema"]),
        tests("TelemetryTests", ["Telemetry"]),
        tests("CryptographyTests", ["Cryptography", "COpenSSL"]),
        tests("SourceParsingTests", ["SourceParsing", "WidgetSchema"], fixtures: true),
        tests("MessageBusTests", ["Locking", "MessageBus", "Telemetry", "WidgetSchema"]),
        .executableTarget(
            name: "LifecycleProbe",
            dependencies: ["ServiceRuntime", "Configuration", "CommandOptions", "Telemetry", "WidgetSchema"],
            path: "Tests/LifecycleProbe",
            swiftSettings: swiftSettings
        ),
        tests("CommandOptionsTests", ["CommandOptions", "ServiceRuntime", "WidgetSchema"]),
        tests("ConfigurationTests", ["Configuration", "WidgetSchema", "Telemetry"], fixtures: true),
        tests(
            "ServiceRuntimeTests",
            [
                "Locking",
                "ServiceRuntime", "Configuration", "CommandOptions", "MessageBus", "WidgetSchema", "Telemetry",
                "LifecycleProbe", "ServiceEngine",
            ]
        ),
        tests("HTTPTransportTests", ["Locking", "WidgetSchema", "HTTPTransport", "WebServer"], fixtures: true),
        tests("WebServerTests", ["Locking", "WidgetSchema", "WebServer", "HTTPTransport", "MessageBus"]),
        tests("StorageTests", ["Locking", "Storage", "ServiceEngine", "Telemetry", "WidgetSchema"]),
        tests("OriginRulesTests", ["OriginRules", "WidgetSchema"]),
        tests("SourceFetchingTests", ["Locking", "SourceFetching", "HTTPTransport", "SourceParsing", "WidgetSchema"]),
        tests("BusTests", ["Bus", "MessageBus", "ServiceEngine", "Telemetry", "WidgetSchema"]),
        tests(
            "FetcherTests",
            [
                "Fetcher", "WidgetSchema", "HTTPTransport", "SourceFetching", "SourceParsing", "WebServer",
                "MessageBus",
            ]
        ),
        tests(
            "CacheTests",
            [
                "Layout", "LayoutEngine", "Notifier",
                "Cryptography",
                "MessageBus", "Cache", "WidgetSchema", "EventStreams", "ServiceEngine", "Storage", "Configuration",
                "SourceFetching", "SourceParsing", "HTTPTransport",
                "ServiceRuntime",
                "Gateway", "PanelSupport", "WebServer",
            ],
            fixtures: true
        ),
        .executableTarget(
            name: "LayoutGallery",
            dependencies: ["Cryptography", "LayoutEngine", "WidgetSchema", "CPango"],
            path: "Tests/LayoutGallery",
            resources: [.embedInCode("Fixtures/samples.json"), .embedInCode("Fixtures/gallery.css")],
            swiftSettings: swiftSettings
        ),
        tests(
            "LayoutTests",
            [
                "Locking",
                "LayoutGallery", "Layout", "LayoutEngine", "WidgetSchema", "MessageBus", "ServiceEngine",
                "Configuration",
                "CommandOptions",
                "ServiceRuntime", "Telemetry",
                "Cryptography", "CPango",
            ],
            fixtures: true
        ),
        tests("AccessTokensTests", ["AccessTokens"]),
        tests(
            "GatewayTests",
            [
                "Locking",
                "Gateway", "WidgetSchema", "EventStreams", "WebServer", "AccessTokens", "Configuration",
                "ServiceRuntime", "Telemetry", "MessageBus", "Layout", "LayoutEngine", "ServiceEngine", "Cryptography",
                "CommandOptions", "PanelSupport", "HTTPTransport",
            ],
            fixtures: true
        ),
        tests("PageTests", ["Gateway", "WebServer", "WidgetSchema"]),
        tests(
            "NotifierTests",
            ["Notifier", "WidgetSchema", "EventStreams", "MessageBus", "ServiceEngine", "Storage"]
        ),
        tests(
            "DeliveryTests",
            [
                "Locking",
                "Delivery", "WidgetSchema", "EventStreams", "MessageBus", "ServiceEngine", "Storage", "Configuration",
                "Cryptography", "HTTPTransport", "ServiceRuntime", "WebServer", "JSON",
            ],
            fixtures: true
        ),
        tests(
            "CommandLineToolTests",
            [
                "CommandLineTool", "WidgetSchema", "MessageBus", "Configuration", "CommandOptions", "ServiceRuntime",
                "SourceParsing", "OriginSupport", "Storage",
                "WebServer", "HTTPTransport", "EventStreams",
            ]
        ),
        .target(name: "PowerCut", path: "Tests/PowerCut"),
        .target(name: "DiskFault", path: "Tests/DiskFault"),
        tests(
            "EndToEndTests",
            [
                "Locking",
                "Storage", "WidgetSchema", "MessageBus", "OriginSupport", "WebServer",
                "ServiceRuntime",
                "HTTPTransport",
                "SourceFetching", "AccessTokens",
                "OriginRules", "PanelSupport",
            ]
        ),
        // All services' cores in one process, on a clock of its own.
        tests(
            "SimulationTests",
            [
                "Locking",
                "Bus", "Fetcher", "Cache", "Configuration", "Delivery", "Layout", "LayoutEngine", "Notifier",
                "MessageBus",
                "EventStreams",
                "ServiceEngine",
                "WidgetSchema", "Cryptography",
                "OriginRules", "SourceFetching", "Gateway", "WebServer", "Telemetry", "Storage",
            ]
        ),
    ]
)

// `make simulate` compiles no other tests: to optimise them all takes longer than to run it.
if let only = Context.environment["TIDINGS_TESTS"] {
    package.targets.removeAll { $0.type == .test && $0.name != only }
}

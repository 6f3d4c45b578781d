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

let package = Package(
    name: "tidings-benchmarks",
    dependencies: [.package(name: "tidings", path: "..")],
    targets: [
        .executableTarget(
            name: "ParsingBenchmark",
            dependencies: [.product(name: "SourceParsing", package: "tidings")],
            swiftSettings: swiftSettings
        ),
        // The layout service's own sources, by links, but for what belongs to the service around them.
        .executableTarget(
            name: "LayoutBenchmark",
            dependencies: [
                .product(name: "SourceParsing", package: "tidings"),
                .product(name: "Digests", package: "tidings"),
                .product(name: "CPango", package: "tidings"),
            ],
            exclude: [
                "Core/ContentMemory.swift", "Core/HeldCycles.swift", "Core/LayoutCore.swift",
                "Core/LayoutCore+Engine.swift", "Core/LayoutCore+Messages.swift", "Core/LayoutCore+Requests.swift",
                "Core/LayoutCounts.swift", "Drawing/DrawingCrew.swift",
            ],
            swiftSettings: swiftSettings
        ),
    ]
)

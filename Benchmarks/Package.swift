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
        .executableTarget(
            name: "LayoutBenchmark",
            dependencies: [
                .product(name: "LayoutEngine", package: "tidings"),
                .product(name: "CPango", package: "tidings"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "VerdictBenchmark",
            dependencies: [.product(name: "LayoutEngine", package: "tidings")],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "BoardBenchmark",
            dependencies: [
                .product(name: "LayoutEngine", package: "tidings"),
                .product(name: "CPango", package: "tidings"),
            ],
            swiftSettings: swiftSettings
        ),
    ]
)

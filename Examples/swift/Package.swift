// swift-tools-version: 6.3
// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import PackageDescription

let package = Package(
    name: "subscriber",
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .executableTarget(
            name: "subscriber",
            dependencies: [.product(name: "MessageBus", package: "tidings")],
            path: "Sources"
        )
    ]
)

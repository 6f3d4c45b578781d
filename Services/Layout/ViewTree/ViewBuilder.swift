// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Lets the views of a stack be written one below the other.
@resultBuilder
enum ViewBuilder {
    static func buildExpression(_ view: any View) -> [any View] { [view] }

    static func buildExpression(_ view: (any View)?) -> [any View] { view.map { [$0] } ?? [] }

    static func buildBlock(_ parts: [any View]...) -> [any View] { parts.flatMap(\.self) }

    static func buildOptional(_ part: [any View]?) -> [any View] { part ?? [] }

    static func buildEither(first part: [any View]) -> [any View] { part }

    static func buildEither(second part: [any View]) -> [any View] { part }

    static func buildArray(_ parts: [[any View]]) -> [any View] { parts.flatMap(\.self) }
}

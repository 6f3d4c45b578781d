// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The result builder for the views of a stack.
@resultBuilder
enum ViewBuilder {
    static func buildExpression(_ view: any View) -> any View { view }

    static func buildExpression(_ view: (any View)?) -> [any View] { view.map { [$0] } ?? [] }

    static func buildExpression(_ views: [any View]) -> [any View] { views }

    static func buildPartialBlock(first: any View) -> [any View] { [first] }

    static func buildPartialBlock(first: [any View]) -> [any View] { first }

    static func buildPartialBlock(accumulated: consuming [any View], next: any View) -> [any View] {
        accumulated.append(next)
        return accumulated
    }

    static func buildPartialBlock(accumulated: consuming [any View], next: [any View]) -> [any View] {
        accumulated += next
        return accumulated
    }

    static func buildOptional(_ part: [any View]?) -> [any View] { part ?? [] }

    static func buildEither(first part: [any View]) -> [any View] { part }

    static func buildEither(second part: [any View]) -> [any View] { part }

    static func buildArray(_ parts: [[any View]]) -> [any View] { parts.flatMap(\.self) }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The kinds of widgets, as a configuration names them.
public enum WidgetKind: String, Codable, CaseIterable, Sendable {
    /// The latest posts of a blog.
    case feed
    /// Facts (pairs of a name and a value) from a JSON API, normally shown one at a time.
    case keyValue
    /// The weather of the next days.
    case forecast
    /// A quote for each day.
    case quote
    /// Quick actions (buttons that open links), and below them the documents that were recently open in an app.
    case documents
    /// Rows that the configuration selects from any JSON document.
    case json

    /// A Boolean value that indicates whether the widget shows one of many values, and commands can select the next
    /// value.
    public var showsOneOfMany: Bool { self == .keyValue }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The kinds of widgets, as a configuration names them.
public enum WidgetKind: String, Codable, CaseIterable, Sendable {
    /// Latest posts of a blog.
    case feed
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The appearance of a display, as in `UIUserInterfaceStyle`: dark text on a light background, or light text on a dark
/// one.
public enum Appearance: String, Codable, CaseIterable, Sendable, DefaultValue {
    case light
    case dark

    public static let defaultValue = Appearance.light
}

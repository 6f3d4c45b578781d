// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The appearance of a display's background, `UIUserInterfaceStyle`: dark ones show white text, light ones black text.
public enum Appearance: String, Codable, CaseIterable, Sendable {
    case light
    case dark
}

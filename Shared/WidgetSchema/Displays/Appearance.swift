// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a display's ground is like, `UIUserInterfaceStyle`: dark ones show white text, light ones black.
public enum Appearance: String, Codable, CaseIterable, Sendable {
    case light
    case dark
}

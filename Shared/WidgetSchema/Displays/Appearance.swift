// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The appearance of a display (`UIUserInterfaceStyle`): a dark one shows white text, a light one black text.
public enum Appearance: String, Codable, CaseIterable, Sendable {
    case light
    case dark
}

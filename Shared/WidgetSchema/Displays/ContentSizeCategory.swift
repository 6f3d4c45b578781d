// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The text size that a user has chosen, with the names and the order of `UIContentSizeCategory`.
public enum ContentSizeCategory: String, Codable, CaseIterable, Sendable {
    case extraSmall
    case small
    case medium
    case large
    case extraLarge
    case extraExtraLarge
    case extraExtraExtraLarge
    case accessibilityMedium
    case accessibilityLarge
    case accessibilityExtraLarge
    case accessibilityExtraExtraLarge
    case accessibilityExtraExtraExtraLarge
}

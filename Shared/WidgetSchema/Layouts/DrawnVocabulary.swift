// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names that the layout service knows how to draw or to say; a configuration is checked against them.
///
/// Other names are valid: an unknown icon is drawn as a question mark, other languages get English words.
public enum DrawnVocabulary {
    /// The names of icons.
    public static let icons = [
        "arrow.clockwise", "cloud", "cloud.bolt.rain", "cloud.drizzle", "cloud.fog", "cloud.hail", "cloud.heavyrain",
        "cloud.rain", "cloud.sleet", "cloud.snow", "cloud.sun", "cloud.sun.rain", "doc", "info.circle", "list.bullet",
        "newspaper", "questionmark", "quote.opening", "snowflake", "sun.max",
    ]

    /// The languages of words such as "Show more", as the first part of a locale.
    public static let languages = ["ar", "de", "en", "ja"]
}

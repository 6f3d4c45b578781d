// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON

/// The conversion of temperatures to degrees Celsius.
enum Temperature {
    /// The range of plausible temperatures on earth, in degrees Celsius.
    private static let possible = -150.0...150.0

    /// Returns a temperature in degrees Celsius; nil if the value is null.
    ///
    /// `unit` is the origin's name of the unit: `°F`, `fahrenheit` or `K`; nil or any other name means Celsius. A value
    /// that is converted from another unit is rounded to tenths.
    static func celsius(_ value: JSONValue, unit: String?) throws(JSONFault) -> Double? {
        guard !value.isNull else { return nil }
        let number = try value.expectNumber()
        let celsius: Double
        switch unit?.lowercased() {
        case "°f", "f", "fahrenheit": celsius = rounded((number - 32) * 5 / 9)
        case "k", "kelvin": celsius = rounded(number - 273.15)
        default: celsius = number
        }
        guard possible.contains(celsius) else { throw value.fault("\(number) is not a plausible temperature") }
        return celsius
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

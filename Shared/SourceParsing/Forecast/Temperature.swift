// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Degrees Celsius as forecasts give them.
enum Temperature {
    /// No place on earth is colder or hotter; what is beyond is a mistake.
    private static let possible = -150.0...150.0

    /// A value in degrees Celsius, rounded to tenths where it was given in another unit.
    ///
    /// `unit` is as origins write it: `°C`, `celsius`, `°F`, `fahrenheit`, `K`; absent: Celsius.
    static func celsius(_ value: JSONValue, unit: String?) throws(JSONFault) -> Double? {
        guard !value.isNull else { return nil }
        let number = try value.expectNumber()
        let celsius: Double
        switch unit?.lowercased() {
        case "°f", "f", "fahrenheit": celsius = rounded((number - 32) * 5 / 9)
        case "k", "kelvin": celsius = rounded(number - 273.15)
        default: celsius = number
        }
        guard possible.contains(celsius) else { throw value.fault("\(number) is no temperature of the weather") }
        return celsius
    }

    private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Delivery

extension DeliveryWorld {
    /// Registers a device of Apple for some widgets, or for all if `widgets` is nil; and for some displays, or for all.
    mutating func register(
        _ device: String,
        _ push: APNsRegistration.Push,
        _ widgets: [String]? = nil,
        displays: [String]? = nil
    ) throws {
        let token = String(repeating: "ab", count: 32)
        var registration = DeviceRegistration(address: .apns(PushSamples.apns(token, push)))
        registration.widgets = try widgets?.map { try widget($0) }
        registration.displays = try displays?.map { try display($0) }
        let id = try #require(DeviceID(rawValue: device))
        try run(.deviceRequested(1, DeviceRequest(device: id, owner: "owner", registration: registration)))
    }
}

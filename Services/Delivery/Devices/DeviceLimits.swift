// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits of the registered devices.
enum DeviceLimits {
    static let maximumDevices = 10_000
    /// The maximum number of devices of one access token, so that no token can fill all places.
    static let maximumDevicesOfOwner = 5_000
    /// The time after its last registration at which a device is removed.
    static let lifetime = Duration.seconds(60 * 24 * 3_600)
    /// The maximum number of names in each list of a registration.
    static let maximumNames = 200
    /// The range of the length of an APNs token, in bytes; Apple gives no length, and 32 is usual.
    static let tokenBytes = 8...100
    /// The maximum length of a bundle id, in characters.
    static let maximumBundleLength = 155
}

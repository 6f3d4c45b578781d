// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import COpenSSL

/// A public key of the elliptic curve P-256: a point of the curve.
package struct P256PublicKey: Hashable, Sendable {
    /// The length of the uncompressed form: 4, and two coordinates of 32 bytes (SEC 1, section 2.3.3).
    package static let byteCount = 65

    /// The uncompressed form of the point.
    package let bytes: [UInt8]

    /// Creates a key from the uncompressed form; nil for any other bytes, and for a point that is not on the curve.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.first == UInt8(POINT_CONVERSION_UNCOMPRESSED.rawValue),
            let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        else { return nil }
        defer { EC_GROUP_free(group) }
        guard let point = EC_POINT_new(group) else { return nil }
        defer { EC_POINT_free(point) }
        guard EC_POINT_oct2point(group, point, bytes, bytes.count, nil) == 1 else { return nil }
        self.bytes = bytes
    }

    init(uncompressed bytes: [UInt8]) { self.bytes = bytes }
}

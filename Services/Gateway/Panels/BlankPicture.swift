// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A white picture, for a panel whose first picture cannot be drawn: the firmware shows an error if it gets none.
///
/// It is a PNG with one bit per pixel whose data is not compressed (RFC 2083, RFC 1951 section 3.2.4).
enum BlankPicture {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The maximum number of bytes in a block that is not compressed.
    private static let blockBytes = 65_535
    private static let modulus: UInt32 = 65_521

    /// Returns the picture of a size in pixels.
    static func png(width: Int, height: Int) -> Data {
        var header = bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height))
        // One bit of grey; the usual compression, filters, and no interlacing.
        header += [1, 0, 0, 0, 0]
        let row = [0] + [UInt8](repeating: 0xFF, count: (max(width, 0) + 7) / 8)
        let rows = [[UInt8]](repeating: row, count: max(height, 0)).flatMap(\.self)
        return Data(signature + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", []))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns data in the format of zlib (RFC 1950) without compression.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: blockBytes) {
            let block = data[start..<min(start + blockBytes, data.count)]
            let count = UInt16(block.count)
            result.append(start + blockBytes >= data.count ? 1 : 0)
            for number in [count, ~count] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            result += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % modulus
            high = (high + low) % modulus
        }
        return result + bytes(high << 16 | low)
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bytes(UInt32(data.count)) + body + bytes(checksum(body))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// A white picture, for a panel whose first picture cannot be drawn: the firmware shows an error if it gets none.
///
/// It is a PNG with one bit per pixel (RFC 2083), whose data has one block with the fixed codes of deflate (RFC 1951 section
/// 3.2.6): the first row, and repetitions of it.
enum BlankPicture {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let modulus: UInt32 = 65_521

    /// Returns the picture of a size in pixels.
    static func png(width: Int, height: Int) -> Data {
        var header = bytes(UInt32(clamping: width)) + bytes(UInt32(clamping: height))
        // One bit of grey; the usual compression, filters, and no interlacing.
        header += [1, 0, 0, 0, 0]
        let row = [0] + [UInt8](repeating: 0xFF, count: (max(width, 1) + 7) / 8)
        return Data(
            signature + chunk("IHDR", header) + chunk("IDAT", compressed(row, count: max(height, 1)))
                + chunk("IEND", [])
        )
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The number of bytes that one repetition stands for, the most that deflate has.
    private static let repetition = 258

    /// Returns equal rows in the format of zlib (RFC 1950).
    private static func compressed(_ row: [UInt8], count: Int) -> [UInt8] {
        var output = Bits()
        // The last block, with fixed codes.
        output.append(0b011, bits: 3)
        func literal(_ byte: UInt8) {
            let isShort = byte < 144
            output.append(code: isShort ? 0x30 + UInt32(byte) : 0x190 + UInt32(byte) - 144, bits: isShort ? 8 : 9)
        }
        for byte in row { literal(byte) }
        let rest = row.count * (count - 1)
        // The distance of a repetition is that of a row.
        let distance = row.count - 1
        let extraBits = max(distance.bitWidth - distance.leadingZeroBitCount - 2, 0)
        let distanceCode = extraBits == 0 ? distance : 2 * (extraBits + 1) + (distance >> extraBits & 1)
        for _ in 0..<rest / repetition {
            output.append(code: 0b1100_0101, bits: 8)
            output.append(code: UInt32(distanceCode), bits: 5)
            output.append(UInt32(distance & (1 << extraBits - 1)), bits: extraBits)
        }
        for index in (rest - rest % repetition)..<rest { literal(row[index % row.count]) }
        // The end of the block.
        output.append(0, bits: 7)
        var (low, high): (UInt32, UInt32) = (1, 0)
        for _ in 0..<count {
            for byte in row {
                low = (low + UInt32(byte)) % modulus
                high = (high + low) % modulus
            }
        }
        return [0x78, 0x01] + output.padded + bytes(high << 16 | low)
    }

    /// Bits that become bytes, the lowest bit of a byte first.
    private struct Bits {
        private var bytes: [UInt8] = []
        private var pending: UInt32 = 0
        private var count = 0

        /// The bytes, the last one filled with zeros.
        var padded: [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }

        /// Appends a number, its lowest bit first.
        mutating func append(_ number: UInt32, bits: Int) {
            pending |= number << UInt32(count)
            count += bits
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                (pending, count) = (pending >> 8, count - 8)
            }
        }

        /// Appends a code, its highest bit first.
        mutating func append(code: UInt32, bits: Int) {
            for bit in (0..<bits).reversed() { append(code >> UInt32(bit) & 1, bits: 1) }
        }
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

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport

/// The messages between a fetcher and its ``DocumentReader``: frames, each after its length in eight bytes.
enum ReaderFrames {
    /// The maximum size of a frame, in bytes: twice that of the largest document of an origin.
    private static let maximumBytes = 2 * HTTPLimits.defaultMaximumBodyBytes

    /// Reads frames; returns nil if the other process has closed the pipe or sent no frame.
    static func read(_ count: Int, from handle: FileHandle) throws -> [Data]? {
        var frames: [Data] = []
        for _ in 0..<count {
            guard let length = try handle.readAll(8) else { return nil }
            let size = length.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
            guard size <= maximumBytes, let frame = try handle.readAll(Int(size)) else { return nil }
            frames.append(frame)
        }
        return frames
    }

    static func write(_ frames: [Data], to handle: FileHandle) throws {
        for frame in frames {
            try handle.write(contentsOf: withUnsafeBytes(of: frame.count.bigEndian) { Data($0) })
            try handle.write(contentsOf: frame)
        }
    }
}

extension FileHandle {
    /// Reads `count` bytes; returns nil if there are fewer.
    fileprivate func readAll(_ count: Int) throws -> Data? {
        guard count > 0 else { return Data() }
        let data = try read(upToCount: count) ?? Data()
        return data.count == count ? data : nil
    }
}

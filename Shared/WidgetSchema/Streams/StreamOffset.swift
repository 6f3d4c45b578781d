// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The position of an update in the stream of all widgets: an epoch, and a number within the epoch.
///
/// The updates of an epoch are numbered 1, 2, 3 and so on, without gaps.
public struct StreamOffset: Hashable, Sendable, CustomStringConvertible {
    public let epoch: StreamEpoch
    /// The number of the update within the epoch; 0 stands for the start of the epoch, before the first update.
    public let number: UInt64

    public init(epoch: StreamEpoch, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses `EPOCH:NUMBER`; nil for any other text.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = StreamEpoch(rawValue: String(parts[0])),
            let number = SequenceNumber(parts[1])
        else { return nil }
        self.init(epoch: epoch, number: number.number)
    }

    /// The form `EPOCH:NUMBER`; the number has no leading zeros.
    public var description: String { "\(epoch):\(number)" }

    /// The offset of the next update; the maximum is its own successor.
    public var next: StreamOffset { StreamOffset(epoch: epoch, number: SequenceNumber(number).next.number) }
}

extension StreamOffset: Codable {
    private enum CodingKeys: String, CodingKey {
        case epoch
        case offset
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            epoch: try container.decode(StreamEpoch.self, forKey: .epoch),
            number: try container.decode(SequenceNumber.self, forKey: .offset).number
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(epoch, forKey: .epoch)
        try container.encode(SequenceNumber(number), forKey: .offset)
    }
}

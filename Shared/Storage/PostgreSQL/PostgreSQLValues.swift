// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CPostgreSQL
internal import FoundationEssentials

/// The values of a statement in PostgreSQL's binary format.
struct PostgreSQLValues {
    private var bytes: [UInt8] = []
    /// The range of each value in `bytes`; nil for NULL.
    private var ranges: [Range<Int>?] = []
    private(set) var types: [Oid] = []

    init(_ values: [SQLValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let integer): append(UInt64(bitPattern: integer))
            case .blob(let data): bytes.append(contentsOf: data)
            case .text(let text): bytes.append(contentsOf: PostgreSQLText.encoded(text))
            }
            ranges.append(value == .null ? nil : start..<bytes.count)
            types.append(Self.type(of: value)?.rawValue ?? 0)
        }
    }

    /// Calls `body` with arguments for `PQsendQueryPrepared`; they are valid only until `body` returns.
    func withArguments<Result>(
        _ body: (_ count: Int32, _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]) -> Result
    ) -> Result {
        // An empty value needs an address, too: a null address means NULL.
        (bytes + [0]).withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(
                Int32(ranges.count),
                ranges.map { range in range.flatMap { range in base.map { $0 + range.lowerBound } } },
                ranges.map { Int32($0?.count ?? 0) },
                ranges.map { _ in 1 }
            )
        }
    }

    private mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns the type of a value; nil for NULL, whose type the server derives from the statement.
    private static func type(of value: SQLValue) -> PostgreSQLType? {
        switch value {
        case .null: nil
        case .integer: .bigint
        case .text: .text
        case .blob: .bytes
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine

extension StoreFailure {
    /// Runs `operation`, and converts its errors: `StoreTakenOver` to the failure `takenOver`, and all other errors to
    /// the failure `discard`.
    public static func classifying<Result>(_ operation: () throws -> Result) throws(StoreFailure) -> Result {
        do {
            return try operation()
        } catch let error as StoreTakenOver {
            throw .takenOver(error)
        } catch {
            throw .discard(error)
        }
    }
}

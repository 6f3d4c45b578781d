// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import ServiceRuntime

/// Runs blocking code on a thread of its own: there are only as many cooperative threads as cores, and all tests share
/// them.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await ServiceThread.run(named: "test", body)
}

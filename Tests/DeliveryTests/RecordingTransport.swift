// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Locking

@testable import Delivery

/// A transport that records requests and answers them at once.
final class RecordingTransport: PushTransport {
    private let recorded = Lock<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPFailure>

    init(_ answer: @escaping @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPFailure>) { self.answer = answer }

    var requests: [HTTPRequest] { recorded.withLock(\.self) }

    func send(_ request: HTTPRequest, whenDone completion: @escaping HTTPClient.Completion) {
        recorded.withLock { $0.append(request) }
        completion(answer(request))
    }
}

/// The kind of an outcome, without its reason.
enum OutcomeKind: Hashable, Sendable {
    case delivered
    case retry
    case rejected
    case gone
    case unknown

    init(_ outcome: DeliveryOutcome) {
        self =
            switch outcome {
            case .delivered: .delivered
            case .retry: .retry
            case .rejected: .rejected
            case .gone: .gone
            case .unknown: .unknown
            }
    }
}

/// Waits for the outcome of a call.
func outcome(_ call: (@escaping Sender.Completion) -> Void) async -> DeliveryOutcome {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}

/// Returns the path of a program in `Fixtures`.
func fixture(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)").path
}

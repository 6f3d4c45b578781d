// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Locking
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

@testable import Delivery

/// Notifications through the real program: that of Debian and, in `make nightly`, that of PyPI.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AppriseTests {
    enum Edition: String, CaseIterable, Sendable {
        case debian
        case pypi

        /// Returns the folder of the program; the first call installs that of PyPI.
        func folder() async throws -> String {
            guard self == .pypi else { return "/usr/bin" }
            let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scripts")
            let ended = try await EndedProgram.run(
                ["/usr/bin/python3", "-B", scripts.appending(path: "tools.py").path, "apprise", "apprise==2.3.0"]
            )
            try #require(ended.status == 0, "\(ended.errors)")
            let folder = try #require(ended.output.split(separator: "\n").last)
            return "\(folder)/bin"
        }
    }

    /// The text that Apprise posts to an address `json://`.
    private struct Notification: Decodable {
        struct Attachment: Decodable {
            var base64: String
        }

        var title: String
        var message: String
        var attachments: [Attachment]?
    }

    private static let canary = "c4nary-0f-an-address"

    @Test(arguments: TestExtent.of([Edition.debian], nightly: Edition.allCases))
    func aNotificationHasTextTitleAndPictureAndItsAddressIsInNoArgument(edition: Edition) async throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        setenv("PATH", "\(try await edition.folder()):\(path)", 1)
        defer { setenv("PATH", path, 1) }
        // The program runs while the receiver has its request.
        let arguments = Lock("")
        try await withReceiver(onRequest: { arguments.withLock { $0 += Self.arguments() } }) { receiver, address in
            receiver.answer(with: [(204, [:]), (500, [:])])
            var attempt = try PushSamples.attempt { $0.summary = "Ünïcode ✓" }
            // The first run of a program of PyPI compiles its modules.
            attempt.timeout = .seconds(60)
            let urls = address.replacing("http", with: "json") + "/\(Self.canary)"
            let accepted = try await send(attempt, to: urls)
            #expect(accepted == .delivered)
            let failed = try await send(attempt, to: urls)
            #expect(OutcomeKind(failed) == .retry)
            try #require(receiver.requests.count == 2)
            #expect(receiver.requests[0].path == "/\(Self.canary)")
            let notification = try WireJSON.decode(Notification.self, from: receiver.requests[0].body)
            #expect(notification.title == "-The news-")
            #expect(notification.message == "Ünïcode ✓")
            let pictures = notification.attachments?.map { Data(base64Encoded: $0.base64) }
            #expect(pictures == [StillPicture.png])
            let shown = arguments.withLock(\.self)
            #expect(shown.contains("--title=-The news-"))
            #expect(!shown.contains(Self.canary))
        }
    }

    private func send(_ attempt: DeliveryAttempt, to address: String) async throws -> DeliveryOutcome {
        let name = try #require(DestinationName(rawValue: "anything"))
        var destination = TidingsConfiguration.Destination(name: name, kind: .apprise)
        destination.urls = address
        // A title may look like an option.
        destination.title = "-The news-"
        destination.picture = try display("phone")
        let sender = AppriseSender(
            destination,
            SubjectNames(),
            pictures: StillPicture(),
            programs: WorkerPool<Void>(named: "program", WorkerPool<Void>.Options(threads: 1)) {}
        )
        return await outcome { sender.send(attempt, completion: $0) }
    }

    /// Returns the arguments of all processes, which every user of the machine can read.
    private static func arguments() -> String {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        let lines = numbers.compactMap { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") }
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}

/// The same picture for each widget.
private final class StillPicture: PictureProvider {
    static let png = Data([0x89, 0x50, 0x4E, 0x47, 0, 0xFF])

    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void) { completion(Self.png) }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import ServiceRuntime
import WidgetSchema

/// The sender of a destination of the kind `apprise`: a notification through the program of the same name.
///
/// The URLs contain secrets, so they are in the environment of the program only, which other users cannot read. Statuses
/// of versions 1.2 to 2.2: 0 accepted; 2 and 3 a wrong configuration; 1 any other failure; 4 one of several URLs failed.
final class AppriseSender: DestinationSender {
    static let program = "apprise"
    private static let urlsVariable = "APPRISE_URLS"
    private static let wrongConfiguration: Set<Int32> = [2, 3]
    /// The status of version 2 if one of several URLs failed, so some got the message.
    private static let partialStatus: Int32 = 4

    private let urls: String
    private let title: String?
    private let display: DisplayName?
    private let names: SubjectNames
    private let pictures: any PictureProvider
    private let programs: WorkerPool<Void>

    /// Creates the sender of a destination whose texts are filled.
    init(
        _ destination: TidingsConfiguration.Destination,
        _ names: SubjectNames,
        pictures: any PictureProvider,
        programs: WorkerPool<Void>
    ) {
        urls = destination.urls
        title = destination.title
        display = destination.picture
        self.names = names
        self.pictures = pictures
        self.programs = programs
    }

    func send(_ attempt: DeliveryAttempt, completion: @escaping Completion) {
        guard let display, case .widget(let widget) = attempt.subject,
            let update = try? WireJSON.decode(Event<Update>.self, from: attempt.body),
            let sequence = update.range?.sequence
        else { return run(attempt, picture: nil, completion) }
        let digest = update.data.displays[display]?.digest.description
        let request = PictureRequest(widget: widget, display: display, sequence: sequence, digest: digest)
        pictures.picture(of: request) { self.run(attempt, picture: $0, completion) }
    }

    private func run(_ attempt: DeliveryAttempt, picture: Data?, _ completion: @escaping Completion) {
        let text = MessageText(attempt, names, title: title)
        let isSubmitted = programs.submit { [urls] _ in
            var program = ChildProgram(
                command: [Self.program, "--title=\(text.title)"],
                environment: [Self.urlsVariable: urls],
                input: Data(text.text.utf8),
                timeout: attempt.timeout
            )
            let file = picture.flatMap { Self.write($0, named: attempt.message) }
            defer { if let file { try? FileManager.default.removeItem(at: file) } }
            if let file { program.command.append("--attach=\(file.path)") }
            completion(Self.outcome(program.run()))
        }
        if !isSubmitted { completion(.retry(after: nil, reason: "The program was not started: the service stops.")) }
    }

    /// Writes a picture to a temporary file; nil if that fails, and the notification is sent without it.
    private static func write(_ picture: Data, named name: String) -> URL? {
        let file = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString)-\(name).png")
        let isWritten = FileManager.default.createFile(
            atPath: file.path,
            contents: picture,
            attributes: [.posixPermissions: 0o600]
        )
        return isWritten ? file : nil
    }

    private static func outcome(_ end: ChildProgram.End) -> DeliveryOutcome {
        let reason = ChildProgram.reason(end, of: "Apprise")
        switch end {
        case .exit(0): return .delivered
        case .exit(let status) where wrongConfiguration.contains(status):
            return .gone(reason: reason + " Correct the urls of the destination.")
        case .exit(partialStatus), .signal, nil: return .unknown(reason: reason)
        case .exit, .notStarted: return .retry(after: nil, reason: reason, isServerFailure: true)
        }
    }

    func check(timeout: Duration, completion: @escaping Completion) {
        let isInstalled = CommandSender.isExecutable(Self.program)
        completion(isInstalled ? .delivered : .retry(after: nil, reason: "The program 'apprise' is not installed."))
    }

    func stop() {}
}

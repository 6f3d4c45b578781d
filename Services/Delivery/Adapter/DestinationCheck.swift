// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import HTTPTransport
import Locking
import ServiceEngine
import ServiceRuntime
import WidgetSchema

/// The check whether destinations can be reached, without the bus and without a message that people see.
///
/// It prints one line for each destination, `ok NAME` or `failed NAME: REASON`, and one for Apple's push service if there is
/// a key for it, and ends the process: with status 1 if one failed.
struct DestinationCheck: Service {
    static let optionName = "check-destinations"
    private static let timeout: Duration = .seconds(10)

    let context: ServiceContext

    func run() async throws {
        let settings = DeliverySettings(context.takeConfiguration())
        typealias Outcomes = (destinations: [DestinationName: DeliveryOutcome], apple: DeliveryOutcome?)
        let outcomes = await DeliveryService.withClients { http, apple -> Outcomes in
            let programs = WorkerPool<Void>(
                named: "program",
                WorkerPool<Void>.Options(threads: SenderTools.maximumPrograms)
            ) {}
            defer { programs.stop() }
            let tools = SenderTools(http: http, apple: apple, pictures: NoPictures(), programs: programs)
            var appleOutcome: DeliveryOutcome?
            if let key = settings.apns {
                let service = APNsService(key: key, transport: apple, clock: { .now })
                appleOutcome = await withCheckedContinuation { continuation in
                    service.check(.production, timeout: Self.timeout) { continuation.resume(returning: $0) }
                }
            }
            let ofDestinations = await withTaskGroup(of: (DestinationName, DeliveryOutcome).self) { group in
                for destination in settings.destinations {
                    let check = { @Sendable (completion: @escaping Sender.Completion) in
                        tools.check(destination, settings, timeout: Self.timeout, completion: completion)
                    }
                    group.addTask {
                        let outcome = await withCheckedContinuation { continuation in
                            check { continuation.resume(returning: $0) }
                        }
                        return (destination.name, outcome)
                    }
                }
                var outcomes: [DestinationName: DeliveryOutcome] = [:]
                for await (name, outcome) in group { outcomes[name] = outcome }
                return outcomes
            }
            return (ofDestinations, appleOutcome)
        }
        for (name, outcome) in outcomes.destinations.sorted(by: { $0.key < $1.key }) {
            let line = outcome.reason.map { "failed  \(name): \($0)" } ?? "ok      \(name)"
            StandardStream.output.write(line + "\n")
        }
        let appleProblem = settings.apnsProblem ?? outcomes.apple?.reason
        if let appleProblem {
            StandardStream.output.write("failed  devices.apns: \(appleProblem)\n")
        } else if outcomes.apple != nil {
            StandardStream.output.write("ok      devices.apns\n")
        }
        let isGood = appleProblem == nil && outcomes.destinations.values.allSatisfy { $0 == .delivered }
        exit((isGood ? ExitStatus.done : .failed).rawValue)
    }
}

/// No pictures: a check sends none.
private final class NoPictures: PictureProvider {
    func picture(of request: PictureRequest, completion: @escaping @Sendable (Data?) -> Void) { completion(nil) }
}

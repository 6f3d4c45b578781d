// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Configuration
import ServiceRuntime
import Telemetry
import WidgetSchema

/// A service that does nothing but start, wait and end, in the way its option `--manner` says.
@main
struct Main {
    static func main() {
        let program = ServiceProgram(
            .gateway,
            summary: "Stands for a service in the tests of the lifecycle.",
            options: [Option("manner", value: "MANNER", help: "How to behave.")]
        )
        ServiceMain.run(program) { context in
            let manner = context.options.value("manner").flatMap(Manner.init) ?? .orderly
            if manner == .failing { throw Failure() }
            return Probe(context: context, manner: manner)
        }
    }
}

enum Manner: String {
    /// Stops when told.
    case orderly
    /// Ends by itself.
    case finishing
    /// Cannot be made.
    case failing
    /// Throws while it runs.
    case breaking
    /// Does not stop when told.
    case stubborn
    /// Does not come back from being woken.
    case hanging
}

struct Failure: Error, CustomStringConvertible {
    let description = "the probe was told to fail"
}

struct Probe: Service {
    let context: ServiceContext
    let manner: Manner

    func run() async throws {
        if manner == .hanging { context.stop.onStop { waitForever() } }
        context.announceReady(["manner": manner.rawValue, "level": context.settings.log.level.rawValue])
        switch manner {
        case .finishing, .failing: return
        case .breaking: throw Failure()
        case .orderly: await context.stop.wait()
        case .stubborn, .hanging: try await ServiceThread.run(named: "forever") { waitForever() }
        }
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
import Configuration
import Foundation
import Telemetry
public import WidgetSchema

/// The entry point of each service's `main`: command line, configuration, log, signals and exit status.
///
/// ```swift
/// @main struct Main {
///     static func main() {
///         let program = ServiceProgram(.fetcher, summary: "Fetches the sources that …")
///         ServiceMain.run(program) { context in try FetcherService(context) }
///     }
/// }
/// ```
/// `main` is not `async`; see `ServiceProcess`.
public enum ServiceMain {
    /// Returns the options that all services have, and the options of this service.
    public static func optionTable(
        _ service: ServiceName,
        summary: String,
        options: [Option] = []
    ) -> OptionTable {
        OptionTable(
            command: service.rawValue,
            summary: summary,
            options: [.config] + options,
            notes: EnvironmentVariable.help
        )
    }

    /// Runs a service until it ends or the process is told to stop, and exits with an `ExitStatus`.
    ///
    /// All errors in the command line or the configuration are reported on standard error before anything starts.
    public static func run(
        _ program: ServiceProgram,
        makeService: @escaping @Sendable (ServiceContext) async throws -> any Service
    ) -> Never {
        ServiceProcess.prepareSignals()
        // Must be called before other threads exist, because they inherit the policy.
        let usesBatchScheduling = ServiceThread.useBatchScheduling()
        let environment = ProcessInfo.processInfo.environment
        let checkOptions = program.checkStore == nil ? [] : [ServiceProgram.checkStoreOption]
        let table = optionTable(program.service, summary: program.summary, options: program.options + checkOptions)
        do {
            let parsed = try table.parse(Array(CommandLine.arguments.dropFirst()))
            showAndExit(parsed, of: table)
            if let check = program.checkStore, let copy = parsed.value(ServiceProgram.checkStoreOption.name) {
                exitAfterCheck { try check(copy) }
            }
            var configuration = try TidingsConfiguration.load(
                path: parsed.value(Option.config.name),
                environment: environment,
                needsSecrets: program.needsSecrets
            )
            if !program.needsWidgets { configuration.widgets = [] }
            let context = makeContext(program.service, configuration: configuration, options: parsed)
            configuration.widgets = []
            if !usesBatchScheduling { context.log.debug("The system refuses the scheduling policy SCHED_BATCH.") }
            for warning in configuration.warnings {
                context.log.warning("Suspicious configuration.", [.reason: warning])
            }
            ServiceProcess.run(
                ProcessControl(stop: context.stop, reload: context.reload),
                log: context.log,
                environment: environment
            ) {
                try await makeService(context).run()
            }
        } catch {
            StandardStream.error.write("\(error)\n")
            exit(ExitStatus.wrongUse.rawValue)
        }
    }

    /// Answers `--help` and `--version` and exits; returns if neither was given.
    public static func showAndExit(_ parsed: ParsedOptions, of table: OptionTable) {
        guard parsed.asksForHelp || parsed.asksForVersion else { return }
        let text = parsed.asksForHelp ? table.help : "\(table.command) \(TidingsVersion.current)\n"
        exit((StandardStream.output.write(text) ? ExitStatus.done : .failed).rawValue)
    }

    /// Exits after `check`; if it throws an error, the error is printed on standard output.
    private static func exitAfterCheck(_ check: () throws -> Void) -> Never {
        do {
            try check()
        } catch {
            StandardStream.output.write("\(error)\n")
            exit(ExitStatus.failed.rawValue)
        }
        exit(ExitStatus.done.rawValue)
    }

    private static func makeContext(
        _ service: ServiceName,
        configuration: TidingsConfiguration,
        options: ParsedOptions
    ) -> ServiceContext {
        let log = Logger(
            label: service.rawValue,
            minimumLevel: configuration.log.level,
            format: configuration.log.format
        )
        return ServiceContext(
            service: service,
            instance: configuration.instance,
            configuration: configuration,
            options: options,
            log: log,
            metrics: Metrics(),
            stop: StopSignal()
        )
    }
}

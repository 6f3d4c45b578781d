// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
public import Configuration
import Foundation
import Locking
public import Telemetry
public import WidgetSchema

/// The parts that a process gives to its service: configuration, options, log, metrics and signals.
public struct ServiceContext: Sendable {
    public var service: ServiceName
    /// The name of this process, which is unique among the instances of its service.
    public var instance: InstanceName
    /// The configuration without its widgets, which only `takeConfiguration` returns.
    public let settings: TidingsConfiguration
    /// The parsed options of the command line.
    public var options: ParsedOptions
    public var log: Logger
    public var metrics: Metrics
    /// The signal that stops the process; a service registers an action that wakes the service's thread.
    public var stop: StopSignal
    /// The signal that tells the service to reload its configuration.
    ///
    /// A service that can reload its configuration registers an action with the signal.
    public var reload: ReloadSignal
    /// The digest of the configuration in use; heartbeats contain this digest.
    ///
    /// Only services with standbys set this property.
    public private(set) var configurationDigest = CurrentDigest()
    private let widgets: Widgets

    /// The configured widgets; nil after `takeConfiguration` has removed them to free their memory: 100,000 widgets use
    /// 40 MB.
    private final class Widgets: Sendable {
        let held: Lock<[TidingsConfiguration.Widget]?>

        init(_ widgets: [TidingsConfiguration.Widget]) { held = Lock(widgets) }
    }

    public init(
        service: ServiceName,
        instance: InstanceName,
        configuration: TidingsConfiguration,
        options: ParsedOptions,
        log: Logger,
        metrics: Metrics,
        stop: StopSignal,
        reload: ReloadSignal = ReloadSignal()
    ) {
        self.service = service
        self.instance = instance
        widgets = Widgets(configuration.widgets)
        var configuration = configuration
        configuration.widgets = []
        settings = configuration
        self.options = options
        self.log = log
        self.metrics = metrics
        self.stop = stop
        self.reload = reload
    }

    /// Returns the configuration with its widgets, and removes the widgets from this context.
    ///
    /// Must be called at most once for a context and its copies.
    public func takeConfiguration() -> TidingsConfiguration {
        var whole = settings
        let taken = widgets.held.withLock { held in
            defer { held = nil }
            return held
        }
        guard let taken else { preconditionFailure("internal error: the configuration was taken twice") }
        whole.widgets = taken
        return whole
    }

    /// Returns a copy of this context, with the configuration loaded again from the file `settings.file`.
    ///
    /// `needsSecrets` is that of `load`. Returns this context unchanged if `settings.file` is nil, or if the new
    /// configuration is invalid.
    public func reloaded(needsSecrets: NeededSecrets) -> ServiceContext {
        guard let file = settings.file, let new = try? load(file, needsSecrets: needsSecrets) else { return self }
        var context = ServiceContext(
            service: service,
            instance: instance,
            configuration: new,
            options: options,
            log: log,
            metrics: metrics,
            stop: stop,
            reload: reload
        )
        context.configurationDigest = configurationDigest
        return context
    }

    /// An error of ``load(_:needsSecrets:)``; `problem` is a sentence for heartbeats.
    public struct ReloadFailure: Error {
        public let problem: String
    }

    /// Loads the configuration again from `file`; logs its warnings or, before it throws, all its errors.
    ///
    /// `needsSecrets` must equal `ServiceProgram.needsSecrets` of the service.
    public func load(_ file: String, needsSecrets: NeededSecrets = []) throws(ReloadFailure) -> TidingsConfiguration {
        do throws(ConfigurationErrors) {
            let new = try TidingsConfiguration.load(path: file, needsSecrets: needsSecrets)
            for warning in new.warnings { log.warning("Suspicious configuration.", [.reason: warning]) }
            return new
        } catch {
            metrics.counter("configuration.refused").increment()
            log.error("The configuration has errors; the previous one stays in use.", [.file: file], error: error)
            let first = "\(error)".split(separator: "\n").first ?? ""
            throw ReloadFailure(problem: "The configuration has errors; the previous one stays in use: \(first)")
        }
    }

    /// Writes the readiness line with additional values.
    ///
    /// Other processes can use this service as soon as they have read the line.
    public func announceReady(_ values: [String: String] = [:]) {
        let line = ReadinessLine(service: service.rawValue, instance: instance, values: values)
        StandardStream.output.write("\(line)\n")
        log.info("Ready.", [.version: TidingsVersion.current])
    }
}

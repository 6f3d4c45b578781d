// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import CommandOptions
public import Configuration
import Foundation
public import Telemetry
public import WidgetSchema

/// The environment of a service within its process.
public struct ServiceContext: Sendable {
    public var service: ServiceName
    /// The name of this process among all that run the same service.
    public var instance: InstanceName
    public var configuration: TidingsConfiguration
    /// The options of the command line, besides those that all services have.
    public var options: ParsedOptions
    public var log: Logger
    public var metrics: Metrics
    /// Stops once; a service registers the action that wakes it.
    public var stop: StopSignal
    /// Signals a reload of the configuration; services that support it register an action.
    public var reload: ReloadSignal

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
        self.configuration = configuration
        self.options = options
        self.log = log
        self.metrics = metrics
        self.stop = stop
        self.reload = reload
    }

    /// Writes the readiness line: from here on, others can use this service.
    public func announceReady(_ values: [String: String] = [:]) {
        let line = ReadinessLine(service: service.rawValue, instance: instance, values: values)
        StandardStream.output.write("\(line)\n")
        log.info("Ready.", [.version: TidingsVersion.current])
    }
}

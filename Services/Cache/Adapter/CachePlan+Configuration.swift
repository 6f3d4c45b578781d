// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import WidgetSchema

extension CachePlan {
    /// Creates the plan for a configuration.
    init(_ configuration: TidingsConfiguration) {
        var displays = SharedValues<[Display]>()
        self.init(
            widgets: configuration.widgets.map { widget in
                WidgetPlan(
                    id: widget.id,
                    definition: widget.definition,
                    displays: displays.shared(configuration.displays(of: widget)),
                    source: widget.source.map { SourceAddress($0, configuration) }
                        ?? SourceAddress(pushedTo: widget.id),
                    interval: widget.interval,
                    minimumInterval: widget.minimumInterval,
                    parsing: widget.parsing,
                    staleAfter: widget.staleAfter,
                    isFetchedWhenShown: widget.isFetchedWhenShown
                )
            },
            limits: CacheLimits(configuration.fetching, configuration.history)
        )
    }
}

extension CacheLimits {
    /// Creates the limits that the configuration contains.
    init(_ fetching: TidingsConfiguration.Fetching, _ history: TidingsConfiguration.History) {
        self.init(
            leaseDuration: fetching.leaseDuration,
            hostConcurrency: fetching.hostConcurrency,
            hostSpacing: fetching.hostSpacing,
            history: HistoryLimits(
                cycles: history.cycles,
                age: history.age,
                contentBytes: history.contentKibibytes << 10
            )
        )
    }
}

extension SourceAddress {
    fileprivate init(_ source: TidingsConfiguration.Source, _ configuration: TidingsConfiguration) {
        if let file = source.file, let directory = configuration.fetching.fileDirectory {
            self.init(file: file, below: URL(filePath: directory).path)
            return
        }
        self.init(
            url: source.url,
            headers: source.headers.map { RequestHeader(name: $0.key, value: $0.value) },
            sentHeaders: source.headers.map {
                RequestHeader(name: $0.key, value: configuration.secrets.filled($0.value))
            },
            allowPrivateNetworks: source.allowPrivateNetworks
        )
    }
}

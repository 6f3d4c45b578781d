// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceRuntime
import WidgetSchema

extension CachePlan {
    /// What a configuration asks of the cache.
    init(_ configuration: Configuration) {
        let fetching = configuration.fetching
        var limits = CacheLimits()
        limits.hostConcurrency = fetching.hostConcurrency
        limits.hostSpacing = fetching.hostSpacing.wholeMilliseconds
        limits.leaseDuration = fetching.leaseDuration.wholeMilliseconds
        self.init(
            widgets: configuration.widgets.map { widget in
                WidgetPlan(
                    id: widget.id,
                    definition: widget.definition,
                    displays: widget.displays.compactMap(configuration.display),
                    source: SourceRequest(
                        url: widget.source.url,
                        headers: widget.source.headers.map { RequestHeader(name: $0.key, value: $0.value) },
                        allowPrivateNetworks: widget.source.allowPrivateNetworks
                    ),
                    intervalMilliseconds: widget.interval.wholeMilliseconds,
                    minimumIntervalMilliseconds: widget.minimumInterval.wholeMilliseconds
                )
            },
            limits: limits
        )
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import WidgetSchema

/// The part of the configuration that concerns the cache: the widgets, and the limits for requests to origins.
struct CachePlan: Hashable, Sendable {
    var widgets: BoxedDictionary<WidgetID, WidgetPlan> = [:]
    var limits: CacheLimits

    init(widgets: [WidgetPlan], limits: CacheLimits) {
        self.limits = limits
        for widget in widgets where self.widgets[widget.id] == nil { self.widgets[widget.id] = widget }
    }

    /// The sources that are fetched.
    ///
    /// A source that several widgets use occurs once.
    var sources: SourcePlans { SourcePlans(of: widgets) }
}

/// The configuration of one widget.
struct WidgetPlan: Hashable, Sendable {
    var id: WidgetID
    var definition: WidgetDefinition
    var displays: [Display]
    var source: SourceAddress
    var interval: Duration
    var minimumInterval: Duration

    /// The parsing that the widget needs; `parsing.kind` equals `definition.kind`.
    var parsing: Parsing
    /// The time without a success after which panels mark the content as stale; nil if they never do.
    var staleAfter: Duration?
    /// A Boolean value that indicates whether the source is fetched just before a panel shows the widget.
    var isFetchedWhenShown = false
}

/// One source with the requirements of all its widgets.
struct SourcePlan: Hashable, Sendable {
    var address: SourceAddress
    var widgets: [WidgetID]
    var parsings: [Parsing]
    /// The shortest refresh interval (`WidgetPlan.interval`) among the widgets that use the source.
    var interval: Duration
    /// The shortest minimum interval among the widgets, because it allows requests that often.
    ///
    /// The command `performUpdate` waits for the one of its widget.
    var minimumInterval: Duration
    /// A Boolean value that indicates whether all widgets of the source are fetched when they are shown.
    var isFetchedWhenShown: Bool

    var intervals: RefreshPolicy.Intervals {
        RefreshPolicy.Intervals(interval: interval, minimumInterval: minimumInterval)
    }

    init(_ widget: WidgetPlan) {
        address = widget.source
        widgets = [widget.id]
        parsings = [widget.parsing]
        interval = widget.interval
        minimumInterval = widget.minimumInterval
        isFetchedWhenShown = widget.isFetchedWhenShown
    }

    mutating func add(_ widget: WidgetPlan) {
        widgets.append(widget.id)
        if !parsings.contains(widget.parsing) { parsings.append(widget.parsing) }
        // A widget that is fetched when it is shown has no interval that another widget's could be compared with.
        if isFetchedWhenShown == widget.isFetchedWhenShown {
            interval = min(interval, widget.interval)
        } else if isFetchedWhenShown {
            interval = widget.interval
        }
        isFetchedWhenShown = isFetchedWhenShown && widget.isFetchedWhenShown
        minimumInterval = min(minimumInterval, widget.minimumInterval)
        address.allowPrivateNetworks = address.allowPrivateNetworks || widget.source.allowPrivateNetworks
    }
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A cache of drawings that collects a ``DrawingOrder`` for each missing drawing.
///
/// Drawing is a pure function, so a stored drawing equals a new one: a cycle that changed nothing costs only a look-up.
/// Complete drawings are stored until ``endBatch()``, which the service calls after each batch of inputs. A ``Look`` is
/// much smaller than its drawing, so up to ``maximumRemembered`` looks remain stored after the batch.
public struct DrawingCache {
    public static let maximumRemembered = 32_768
    /// The maximum number of different ``DrawingVariant`` values in the keys of stored looks.
    ///
    /// If the cache needs a key with one more variant, all stored looks are dropped.
    static let maximumVariants = 4096

    /// The key of a stored ``Look``.
    ///
    /// The variant is identified by a number, because a copy of the variant in each key would be large.
    private struct LookKey: Hashable {
        let shown: ShownContent.Identity
        let variant: Int
    }

    public private(set) var drawn: Int64 = 0
    public private(set) var remembered: Int64 = 0
    private var looks = BoundedMemory<LookKey, Look>(limit: DrawingCache.maximumRemembered)
    private var variants: [DrawingVariant: Int] = [:]
    /// The drawings that were completed since the last call of ``endBatch()``.
    private var finished: [DrawingKey: FinishedDrawing] = [:]
    private var orders: [DrawingOrder] = []
    private var ordered: [DrawingKey: Int] = [:]

    public init() {}

    /// Returns the ``Look`` of a widget on each display, in the order of `displays`; nil if any of these looks is not
    /// in the cache.
    ///
    /// For each look that is not in the cache, the next result of ``takeOrders()`` contains a ``DrawingOrder``. If
    /// `needsLayouts` is true, these orders request the complete drawings too.
    public mutating func looks(
        of shown: ShownContent,
        at moment: WidgetMoment,
        on displays: [Display],
        needsLayouts: Bool
    ) -> [Look]? {
        var found: [Look] = []
        var fromMemory: Int64 = 0
        for display in displays {
            let order = DrawingOrder(shown: shown, moment: moment, display: display, needsLayout: needsLayouts)
            let key = order.key
            if let look = finished[key]?.look {
                found.append(look)
            } else if let look = looks.value(for: lookKey(key)) {
                found.append(look)
                fromMemory += 1
            } else {
                add(order, key)
            }
        }
        guard found.count == displays.count else { return nil }
        remembered += fromMemory
        return found
    }

    /// Returns the drawing of a widget on each display, in the order of `displays`; nil if any of these drawings is not
    /// in the cache.
    ///
    /// For each drawing that is not in the cache, the next result of ``takeOrders()`` contains a ``DrawingOrder``.
    public mutating func drawings(of shown: ShownContent, at moment: WidgetMoment, on displays: [Display]) -> [Drawing]?
    {
        var found: [Drawing] = []
        for display in displays {
            let order = DrawingOrder(shown: shown, moment: moment, display: display)
            let key = order.key
            if let drawing = finished[key]?.drawing { found.append(drawing) } else { add(order, key) }
        }
        return found.count == displays.count ? found : nil
    }

    private mutating func lookKey(_ key: DrawingKey) -> LookKey {
        if let number = variants[key.variant] { return LookKey(shown: key.shown, variant: number) }
        if variants.count == Self.maximumVariants {
            variants = [:]
            looks = BoundedMemory(limit: Self.maximumRemembered)
        }
        variants[key.variant] = variants.count
        return LookKey(shown: key.shown, variant: variants.count - 1)
    }

    private mutating func add(_ order: DrawingOrder, _ key: DrawingKey) {
        if let index = ordered[key] {
            orders[index].needsLayout = orders[index].needsLayout || order.needsLayout
        } else {
            ordered[key] = orders.count
            orders.append(order)
        }
    }

    /// Returns each ``DrawingOrder`` that was added since the last call, without duplicates.
    public mutating func takeOrders() -> [DrawingOrder] {
        guard !orders.isEmpty else { return [] }
        defer { (orders, ordered) = ([], [:]) }
        return orders
    }

    public mutating func take(_ drawings: [FinishedDrawing]) {
        drawn += Int64(drawings.count)
        for drawing in drawings {
            finished[drawing.key] = drawing
            looks.remember(drawing.look, for: lookKey(drawing.key))
        }
    }

    public mutating func endBatch() {
        if !finished.isEmpty { finished = [:] }
    }
}

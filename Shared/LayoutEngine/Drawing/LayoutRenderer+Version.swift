// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension LayoutRenderer {
    /// The version of the layout engine; it must be increased with every change that can alter the layouts of a cycle.
    ///
    /// Each laid-out cycle contains it: layouts of an older version are not compared with those of a newer one.
    public static let version = 21
}

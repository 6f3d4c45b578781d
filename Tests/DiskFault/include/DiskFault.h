// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

// Nothing to call: the library is preloaded, and DiskFault.c says how it is told what to do.

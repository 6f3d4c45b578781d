// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <pango/pangocairo.h>
#include <pango/pangoft2.h>

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <harfbuzz/hb-ot.h>
#include <pango/pangocairo.h>
#include <pango/pangoft2.h>

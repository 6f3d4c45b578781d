// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

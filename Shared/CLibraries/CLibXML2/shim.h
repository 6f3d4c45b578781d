// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <iconv.h>
#include <libxml/xmlversion.h>

// Debian's libxml2 shows ICU's types, which clash with those of Swift's Foundation. They are part of encoding handlers
// only, and no handler leaves the library here.
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <fontconfig/fontconfig.h>
#include <harfbuzz/hb-ot.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>
#include <pango/pangoft2.h>

/// Calls `pango_fc_font_map_set_config`, whose parameter is a subclass of `PangoFontMap`.
static inline void tidings_set_font_configuration(PangoFontMap *map, FcConfig *configuration) {
    pango_fc_font_map_set_config((PangoFcFontMap *)map, configuration);
}

// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <malloc.h>

// <spawn.h> declares it only with _GNU_SOURCE, which Swift does not define; the first argument is a posix_spawn_file_actions_t.
// That header is not included here: its types would then belong to this module.
int posix_spawn_file_actions_addclosefrom_np(void *, int);

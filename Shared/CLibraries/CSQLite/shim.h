// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors
#pragma once

#include <sqlite3.h>

// sqlite3_db_config is variadic: Swift cannot call it.
static inline int tidings_sqlite3_set_defensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

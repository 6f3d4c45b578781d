// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Glibc

/// The size of a store on disk.
public enum StoreSize {
    /// Returns the size of a database and its write-ahead log in bytes; a file that does not exist counts as 0 bytes.
    public static func bytes(of path: String) -> Int64 {
        [path, path + "-wal"].reduce(0) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }
}

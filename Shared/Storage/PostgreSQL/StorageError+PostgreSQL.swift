// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension StorageError.Kind {
    /// Creates the kind of an error from the error's SQLSTATE (PostgreSQL manual, appendix A).
    init(sqlState: String) {
        self =
            switch sqlState {
            // lock_not_available, query_canceled, serialization_failure, deadlock_detected, too_many_connections
            case "55P03", "57014", "40001", "40P01", "53300": .busy
            // disk_full, out_of_memory
            case "53100", "53200": .full
            // read_only_sql_transaction
            case "25006": .readOnly
            // data_corrupted, index_corrupted
            case "XX001", "XX002": .corrupt
            case "58030": .ioError
            // insufficient_privilege, invalid_password, invalid_authorization_specification
            case "42501", "28P01", "28000": .missingRights
            // invalid_catalog_name: there is no such database
            case "3D000": .cannotOpen
            // in_failed_sql_transaction, statement_completion_unknown
            case "25P02": .transactionEnded
            case "40003": .disconnected
            default:
                switch sqlState.prefix(2) {
                case "08", "57": .disconnected
                case "22", "23": .constraint
                default: .other
                }
            }
    }
}

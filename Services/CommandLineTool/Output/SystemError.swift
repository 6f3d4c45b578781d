// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The user-visible text of a system error, without type names of Swift or Foundation.
enum SystemError {
    /// Returns the system's text for an `errno` value, such as "No space left on device".
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// Returns the text of any error: the reason of a Foundation error, or the description of one of this project's
    /// errors.
    static func text(_ error: any Error) -> String {
        let bridged = error as NSError
        switch bridged.domain {
        case NSPOSIXErrorDomain: return text(Int32(bridged.code))
        case NSCocoaErrorDomain:
            if let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? any Error { return text(underlying) }
            return text(CocoaError.Code(rawValue: bridged.code))
        default: return "\(error)"
        }
    }

    private static func text(_ code: CocoaError.Code) -> String {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: text(ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: text(EACCES)
        case .fileWriteOutOfSpace: text(ENOSPC)
        case .fileWriteVolumeReadOnly: text(EROFS)
        case .fileWriteFileExists: text(EEXIST)
        default: text(EIO)
        }
    }
}

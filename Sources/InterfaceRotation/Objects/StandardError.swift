// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a warning goes when the program has not said where.
enum StandardError {
    /// Writes one line. A failure to write is ignored: there is nobody left to tell.
    static func write(_ line: String) {
        let bytes = Array("InterfaceRotation: \(line)\n".utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}

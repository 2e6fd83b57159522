// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text for standard output, gathered and written in whole pieces.
struct TextOutput {
    private var pending: [UInt8] = []

    mutating func add(_ text: String) {
        pending.append(contentsOf: text.utf8)
    }

    mutating func flush() throws {
        var written = 0
        while written < pending.count {
            let count = pending.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return write(STDOUT_FILENO, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure.system("standard output") }
            written += count
        }
        pending.removeAll(keepingCapacity: true)
    }
}

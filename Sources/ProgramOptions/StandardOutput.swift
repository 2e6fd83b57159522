// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Standard output, for the texts of `--help` and `--version`.
package enum StandardOutput {
    /// Writes a text.
    ///
    /// - Throws: ``StandardOutputError`` if it cannot be written in full, for example to a full disk.
    package static func write(_ text: String) throws(StandardOutputError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StandardOutputError(code: errno) }
            rest = rest.dropFirst(count)
        }
    }
}

/// A failure to write to standard output.
package struct StandardOutputError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32

    package var description: String { "standard output: cannot write: \(String(cString: strerror(code)))" }
}

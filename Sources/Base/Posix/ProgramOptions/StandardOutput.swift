// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Standard output, for the texts of `--help` and `--version`.
package enum StandardOutput {
    /// Writes a text.
    ///
    /// - Throws: ``StandardOutputError`` if it cannot be written in full, for example to a full disk.
    package static func write(_ text: String) throws(StandardOutputError) {
        do throws(Errno) { try OwnedDescriptor.write(Array(text.utf8), to: STDOUT_FILENO) } catch {
            throw StandardOutputError(cause: error)
        }
    }
}

/// A failure to write to standard output.
package struct StandardOutputError: Error, Hashable, CustomStringConvertible {
    let cause: Errno

    package var description: String { "standard output: cannot write: \(cause)" }
}

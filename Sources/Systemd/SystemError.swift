// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A call into the system that failed: what was attempted, and the errno.
package nonisolated struct SystemError: Error, CustomStringConvertible {
    package let operation: String
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    package var description: String {
        "cannot \(operation): \(String(cString: strerror(code)))"
    }
}

/// libsystemd's convention: negative is an errno, anything else is success.
nonisolated func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemError) {
    if result < 0 { throw SystemError(operation: operation(), code: -result) }
}

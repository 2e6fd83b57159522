// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// A failed system call: the attempted operation, and the errno.
package struct SystemError: Error, CustomStringConvertible {
    package let operation: String
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    package var description: String {
        "cannot \(operation): \(Errno(code))"
    }
}

/// Throws for a negative result, which is an errno in libsystemd's convention.
@discardableResult
func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
    if result < 0 { throw SystemError(operation: operation(), code: -result) }
    return result
}

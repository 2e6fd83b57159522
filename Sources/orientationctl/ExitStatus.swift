// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// How a run ended, for the shell: 0 done, 1 failed, 64 used wrongly (EX_USAGE); `doctor` has one more.
enum ExitStatus {
    static let failed: Int32 = 1
    static let wrongUse: Int32 = 64

    /// Tells a person what went wrong, in one line on standard error, and the shell by the status returned.
    ///
    /// Help and version come through here as well: they are an "error" with status 0 and go to standard output.
    static func report(_ error: any Error) -> Int32 {
        switch OrientationCtl.exitCode(for: error) {
        case .success:
            print(OrientationCtl.fullMessage(for: error))
            return 0
        case .validationFailure:
            say(OrientationCtl.message(for: error) + " (see --help)")
            return wrongUse
        case let code:
            if let status = error as? ExitCode { return status.rawValue }
            say("\(error)")
            return code.rawValue == 0 ? 0 : failed
        }
    }

    /// One line on standard error.
    static func say(_ message: String) {
        let line = Printable.line(message.split(whereSeparator: \.isNewline).joined(separator: " "))
        _ = TextOutput.write(Array("orientationctl: \(line)\n".utf8), to: STDERR_FILENO)
    }
}

/// Something that failed, in words for the person who ran the tool.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What the system says about the call that just failed.
    static func system(_ what: String) -> Failure {
        Failure("\(what): \(String(cString: strerror(errno)))")
    }
}

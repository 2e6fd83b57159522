// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient

/// The exit status: 0 done, 1 failed, 64 wrong usage (EX_USAGE); `doctor` has one more.
enum ExitStatus {
    static let failed: Int32 = 1
    static let wrongUse: Int32 = 64

    /// Prints an error as one line on standard error, and returns the exit status.
    ///
    /// ArgumentParser throws help and version too: they have status 0 and go to standard output.
    ///
    /// - Parameters:
    ///   - error: what was thrown.
    ///   - caller: the subcommand that failed, where it calls the daemon.
    /// - Returns: the exit status.
    static func report(_ error: any Error, of caller: (any AsksDaemon)? = nil) -> Int32 {
        switch OrientationCtl.exitCode(for: error) {
        case .success:
            let output = TextOutput()
            output.add(OrientationCtl.fullMessage(for: error) + "\n")
            do {
                try output.flush()
                return 0
            } catch {
                say("\(error)")
                return failed
            }
        case .validationFailure:
            say(uncapitalized(OrientationCtl.message(for: error)) + " (see --help)")
            return wrongUse
        case let code:
            if let status = error as? ExitCode { return status.rawValue }
            let remedy = (error as? OrientationServiceError).flatMap { caller?.remedy(for: $0) }
            say("\(error)" + (remedy.map { "; \($0)" } ?? ""))
            return code.rawValue == 0 ? 0 : failed
        }
    }

    /// ArgumentParser's messages begin with a capital letter, and may end in a full stop.
    private static func uncapitalized(_ message: String) -> String {
        var message = message[...]
        if message.hasSuffix(".") { message = message.dropLast() }
        guard let first = message.first, message.dropFirst().first?.isLowercase == true else { return String(message) }
        return first.lowercased() + message.dropFirst()
    }

    /// One line on standard error.
    static func say(_ message: String) {
        let line = Printable.line(message.split(whereSeparator: \.isNewline).joined(separator: " "))
        _ = TextOutput.write(Array(TextEncoding.current.text("orientationctl: \(line)\n").utf8), to: STDERR_FILENO)
    }
}

/// An error message for the user.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The error of the system call that just failed.
    static func system(_ what: String) -> Failure {
        Failure("\(what): \(String(cString: strerror(errno)))")
    }
}

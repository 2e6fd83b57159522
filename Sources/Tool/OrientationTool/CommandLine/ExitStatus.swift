// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import Posix

/// Exit statuses: 0 for success, 1 for failure, 64 for wrong usage (EX_USAGE). `doctor` adds 2.
enum ExitStatus {
    static let failed: Int32 = 1
    static let wrongUsage: Int32 = 64

    /// Prints an error as one line on standard error, and returns the exit status.
    ///
    /// ArgumentParser also throws the help and version texts: those go to standard output, with status 0.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - caller: The subcommand that failed, if it calls the daemon.
    /// - Returns: The exit status.
    static func report(_ error: any Error, of caller: (any DaemonCommand)? = nil) -> Int32 {
        switch OrientationCtl.exitCode(for: error) {
        case .success:
            do {
                try TextOutput.print(OrientationCtl.fullMessage(for: error))
                return 0
            } catch {
                StandardError.print("\(error)")
                return failed
            }
        case .validationFailure:
            let text = UsageMessage.text(OrientationCtl.message(for: error))
            StandardError.print(text + (text.hasSuffix("?") ? " see --help" : "; see --help"))
            return wrongUsage
        case let code:
            if let status = error as? ExitCode { return status.rawValue }
            let remedy = (error as? OrientationServiceError).flatMap { caller?.remedy(for: $0) }
            StandardError.print("\(error)" + (remedy.map { "; \($0)" } ?? ""))
            return code.rawValue == 0 ? 0 : failed
        }
    }
}

/// Rewrites ArgumentParser's messages in the form of the tool's own.
enum UsageMessage {
    static func text(_ message: String) -> String {
        if let match = message.wholeMatch(of: /The value '(.*?)' is invalid for '(.+?)(?: <.*>)?(?: \.\.\.)?': (.*)/) {
            let (value, option, rest) = (match.1, match.2, match.3)
            let name = option.hasPrefix("<") ? option.dropFirst().prefix { $0 != ">" } : option
            return "\(name): invalid value '\(value)': \(rest)"
        }
        var message = message.replacing(". Did you mean", with: "; did you mean")[...]
        if message.hasSuffix(".") { message = message.dropLast() }
        guard let first = message.first, message.dropFirst().first?.isLowercase == true else { return String(message) }
        return first.lowercased() + message.dropFirst()
    }
}

enum StandardError {
    /// Prints one line, with the program's name before it.
    static func print(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ").replacingControls()
        write("orientationctl: \(line)\n")
    }

    /// Prints a line of JSON, without a prefix.
    static func print(json: String) {
        write(TextEncoding.current.json(json) + "\n")
    }

    /// Writes text. Ignores errors, for which there is no other place; a closed terminal sends SIGHUP.
    static func write(_ text: String) {
        try? OwnedDescriptor.write(Array(TextEncoding.current.text(text).utf8), to: STDERR_FILENO)
    }
}

/// A failure with its message for the user: `subject: what failed: cause; what to do`.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Returns a failure with the text of `errno` as its cause.
    static func system(_ what: String) -> Failure {
        Failure("\(what): \(Errno.current)")
    }
}

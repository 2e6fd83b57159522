// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc
package import Logging
internal import Systemd
internal import Varlink

/// The log of the agent: the journal under systemd, otherwise standard error.
package nonisolated enum AgentLog {
    package static func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: "orientation-autorotate", factory: { JournalLogHandler(label: $0) })
        logger.logLevel = level
        return logger
    }
}

/// The exit status of a start that failed.
package nonisolated enum AgentExit {
    /// Returns EX_UNAVAILABLE where no further attempt in the session can succeed, EX_TEMPFAIL beside another agent.
    package static func status(for error: any Error) -> Int32 {
        switch error {
        case let error as DisplayServerError where error.isPermanent: EX_UNAVAILABLE
        case SessionLock.Failure.held: EX_TEMPFAIL
        default: EXIT_FAILURE
        }
    }
}

nonisolated enum StandardOutput {
    /// Writes text; ignores errors: the agent continues without a reader.
    static func write(_ text: String) {
        write(text) { true }
    }

    /// Writes a line; drops it if the reader of a pipe has stopped reading.
    static func writeEvent(_ line: String) {
        write(line + "\n") {
            var watched = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            return poll(&watched, 1, 0) > 0
        }
    }

    private static func write(_ text: String, while isWritable: () -> Bool) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty, isWritable() {
                let count = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

extension Report {
    /// The message with its facts, for `--json`.
    var json: JSONValue {
        var object: JSONObject = ["event": .string(name), "message": .string(description)]
        if let (output, transform) = subject {
            object["output"] = .string(output)
            if let transform {
                object["transform"] = .string(transform.description)
                object["rotation"] = .integer(Int64(transform.rotation))
            }
        }
        return .object(object)
    }
}

// SPDX-License-Identifier: Apache-2.0

package import Logging
internal import Systemd

/// Where the daemon's messages go: the journal where systemd runs it, else standard error.
package nonisolated enum DaemonLog {
    package static func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: "orientationd", factory: { JournalLogHandler(label: $0) })
        logger.logLevel = level
        return logger
    }
}

// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import Logging
internal import Synchronization
internal import Systemd

/// Where the daemon's messages go: the journal where systemd runs it, else standard error.
package nonisolated enum DaemonLog {
    package static func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: "orientationd", factory: { JournalLogHandler(label: $0) })
        logger.logLevel = level
        libraries.withLock { $0 = logger }
        _ = cposix_capture_stderr(takeLibraryMessage)
        return logger
    }

    /// Who hears what libraries print.
    fileprivate static let libraries = Mutex<Logger?>(nil)
}

/// libiio prints its own remarks on failures that the daemon tells in its own words, and on some that are none: they are
/// for whoever looks closely. What anything else prints goes where it always went.
private nonisolated func takeLibraryMessage(
    _ cookie: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    let message = String(decoding: bytes, as: UTF8.self)
    if ["ERROR: ", "WARNING: ", "DEBUG: "].contains(where: message.hasPrefix) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        DaemonLog.libraries.withLock { $0 }?.debug("libiio: \(line)")
    } else {
        _ = write(STDERR_FILENO, text, count)
    }
    return count
}

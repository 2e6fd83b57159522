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
        libraries.withLock { $0.logger = logger }
        _ = cposix_capture_stderr(takeLibraryMessage)
        return logger
    }

    fileprivate static let libraries = Mutex(LibraryMessages())
}

/// Messages that libraries, and Swift's runtime, print to standard error. They may quote what another machine sent: each
/// line is logged like any other, without control characters, and no line begins with what it quotes.
private nonisolated struct LibraryMessages {
    var logger: Logger?
    /// A damaged description makes libxml2 print thousands of lines; the first ones tell what is wrong.
    private var others = TokenBucket(burst: 10, interval: 60)
    /// Apart, so that the reason of a crash is not lost behind such lines.
    private var fatal = TokenBucket(burst: 4, interval: 60)

    mutating func take(_ line: Substring, at now: Double) {
        if ["ERROR: ", "WARNING: ", "DEBUG: "].contains(where: line.hasPrefix) {
            // The daemon reports these failures in its own words.
            logger?.debug("libiio: \(line)")
        } else if line.contains("Fatal error") {
            if fatal.take(at: now) { logger?.critical("runtime: \(line)") }
        } else if others.take(at: now) {
            logger?.warning("library: \(line)")
        }
    }
}

/// Takes what was printed to `stderr`: one line or more.
private nonisolated func takeLibraryMessage(
    _ cookie: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    DaemonLog.libraries.withLock { messages in
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            messages.take(line, at: Double(time.tv_sec))
        }
    }
    return count
}

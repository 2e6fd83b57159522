// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Posix
package import Systemd

/// The daemon's log: the journal under systemd, otherwise standard error.
package enum DaemonLog {
    package static func logger(level: Logger.Level) -> Logger {
        let logger = Logger(label: "orientationd", level: level)
        lock.withLock { libraries.logger = logger }
        _ = cposix_capture_stderr(logLibraryMessage)
        return logger
    }

    fileprivate static let lock = Lock()
    /// Accessed while holding the lock only.
    nonisolated(unsafe) fileprivate static var libraries = LibraryMessages()
}

/// Messages that libraries, and Swift's runtime, print to standard error. They may quote names of devices: each line is
/// logged like any other, without control characters.
struct LibraryMessages {
    var logger: Logger?
    private var others = TokenBucket(burst: 10, interval: 60)
    /// A separate bucket: other lines must not suppress the reason of a crash.
    private var fatal = TokenBucket(burst: 4, interval: 60)

    mutating func write(_ line: Substring, at now: Double) {
        if ["ERROR: ", "WARNING: ", "DEBUG: "].contains(where: line.hasPrefix) {
            // The daemon logs these failures itself.
            logger?.debug("libiio: \(line)")
        } else if strstr(String(line), "Fatal error") != nil {
            // The search of the standard library would link all of Swift's regular expressions: 1.3 MB.
            if fatal.take(at: now) { logger?.critical("runtime: \(line)") }
        } else if others.take(at: now) {
            logger?.warning("library: \(line)")
        }
    }
}

/// Logs one or more lines printed to `stderr`.
private func logLibraryMessage(
    _ cookie: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int
) -> Int {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    DaemonLog.lock.withLock {
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            DaemonLog.libraries.write(line, at: MonotonicClock.now())
        }
    }
    return count
}

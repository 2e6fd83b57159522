// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// Writes messages to the journal if standard error is connected to it, else to standard error.
///
///     let log = Logger(label: "orientationd", level: .info)
///     log.warning("\(path): cannot open: \(reason)")
///
/// May be used on any thread. Replaces swift-log, which links Swift's concurrency runtime and libdispatch: 100 KiB of memory at
/// the start.
package final class Logger: Sendable {
    /// The severity of a message, in ascending order.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        case trace, debug, info, notice, warning, error, critical

        package static func < (left: Level, right: Level) -> Bool { left.syslogPriority > right.syslogPriority }

        /// The syslog priority, from 2 (critical) to 7 (debug); 8, which syslog lacks, for `trace`.
        var syslogPriority: Int32 {
            switch self {
            case .critical: LOG_CRIT
            case .error: LOG_ERR
            case .warning: LOG_WARNING
            case .notice: LOG_NOTICE
            case .info: LOG_INFO
            case .debug: LOG_DEBUG
            case .trace: LOG_DEBUG + 1
            }
        }
    }

    private let shared: SharedState
    private let write: @Sendable (_ level: Level, _ text: String) -> Void

    /// Creates a logger for messages at `level` and above; `label` is the name of the program in each message.
    package convenience init(label: String, level: Level) {
        let isJournal = Self.isJournalConnected
        self.init(level: level) { level, message in
            let text = message.replacingControls(with: "\u{FFFD}")
            if isJournal {
                sendToJournal(text, priority: min(level.syslogPriority, LOG_DEBUG), label: label)
            } else {
                let line = "\(label): \(level.rawValue): \(text)\n"
                _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
            }
        }
    }

    /// Creates a logger that passes messages at `level` and above to `write`, on the thread that logs.
    package init(level: Level = .trace, write: @escaping @Sendable (_ level: Level, _ text: String) -> Void) {
        shared = SharedState(level)
        self.write = write
    }

    /// The level below which messages are discarded.
    package var logLevel: Level {
        get { shared.level }
        set { shared.level = newValue }
    }

    /// Writes a message; `text` is not evaluated for a discarded one.
    package func log(level: Level, _ text: @autoclosure () -> String) {
        if level >= logLevel { write(level, text()) }
    }

    /// Writes a message that clients can cause at will: at `level` for the first time with this cause, one of a few, then at the
    /// level debug.
    package func logOnce(_ cause: String, at level: Level, _ text: @autoclosure () -> String) {
        log(level: shared.isNew(cause) ? level : .debug, text())
    }

    /// Returns the result of a call; after a failure nil, with a warning that states the consequence.
    package func attempt<Value>(_ call: () throws -> Value, otherwise consequence: String) -> Value? {
        do { return try call() } catch {
            warning("\(error); \(consequence)")
            return nil
        }
    }

    package func debug(_ text: @autoclosure () -> String) { log(level: .debug, text()) }
    package func info(_ text: @autoclosure () -> String) { log(level: .info, text()) }
    package func notice(_ text: @autoclosure () -> String) { log(level: .notice, text()) }
    package func warning(_ text: @autoclosure () -> String) { log(level: .warning, text()) }
    package func error(_ text: @autoclosure () -> String) { log(level: .error, text()) }
    package func critical(_ text: @autoclosure () -> String) { log(level: .critical, text()) }

    /// Whether standard error is connected to the journal. systemd sets the variable to device and inode of the journal's
    /// stream; it stays set when standard error is redirected.
    private static var isJournalConnected: Bool {
        var info = stat()
        guard let stream = Environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &info) == 0 else { return false }
        return stream == "\(info.st_dev):\(info.st_ino)"
    }
}

private func sendToJournal(_ text: String, priority: Int32, label: String) {
    let fields = ["MESSAGE=\(text)", "PRIORITY=\(priority)", "SYSLOG_IDENTIFIER=\(label)"]
    // sd_journal_send is variadic and not imported; this one takes an array of slices.
    let copies = fields.map { strdup($0) as UnsafeMutablePointer<CChar>? }
    defer { copies.forEach { free($0) } }
    let slices = copies.map { iovec(iov_base: $0, iov_len: $0.map { strlen($0) } ?? 0) }
    _ = sd_journal_sendv(slices, Int32(slices.count))
}

/// What can be changed while other threads log.
private final class SharedState: @unchecked Sendable {
    private let lock = Lock()
    private var lowest: Logger.Level
    private var causes: Set<String> = []

    init(_ level: Logger.Level) { lowest = level }

    var level: Logger.Level {
        get { lock.withLock { lowest } }
        set { lock.withLock { lowest = newValue } }
    }

    func isNew(_ cause: String) -> Bool { lock.withLock { causes.insert(cause).inserted } }
}

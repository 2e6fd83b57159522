// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
package import Logging
internal import Support

/// Sends swift-log's messages to the journal if standard error is connected to it, else to standard error.
package nonisolated struct JournalLogHandler: LogHandler {
    private let level = SharedLevel()
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let isJournal: Bool

    package init(label: String) {
        self.label = label
        // systemd sets the variable to device and inode of the journal's stream; it stays set when standard error is
        // redirected.
        var info = stat()
        let standardError = fstat(STDERR_FILENO, &info) == 0 ? "\(info.st_dev):\(info.st_ino)" : ""
        isJournal = getenv("JOURNAL_STREAM").map { String(cString: $0) } == standardError
    }

    /// The level, shared by all copies: it can be changed for the whole daemon at run time.
    package var logLevel: Logger.Level {
        get { level.value }
        nonmutating set { level.value = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let text = "\(event.message)".replacingControls(with: "\u{FFFD}")
        if isJournal {
            sendToJournal(text, priority: event.level.syslogPriority)
        } else {
            let line = "\(label): \(event.level): \(text)\n"
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        }
    }

    private func sendToJournal(_ text: String, priority: Int32) {
        let fields = ["MESSAGE=\(text)", "PRIORITY=\(priority)", "SYSLOG_IDENTIFIER=\(label)"]
        // sd_journal_send is variadic and not imported; this one takes an array of slices.
        let copies = fields.map { strdup($0) as UnsafeMutablePointer<CChar>? }
        defer { copies.forEach { free($0) } }
        let slices = copies.map { iovec(iov_base: $0, iov_len: $0.map { strlen($0) } ?? 0) }
        _ = sd_journal_sendv(slices, Int32(slices.count))
    }
}

/// The log level that all copies of a handler share. Locked: a logger may be used on any thread.
private nonisolated final class SharedLevel: @unchecked Sendable {
    private let lock = Lock()
    private var level = Logger.Level.info

    var value: Logger.Level {
        get { lock.withLock { level } }
        set { lock.withLock { level = newValue } }
    }
}

extension Logger.Level {
    /// The syslog priority, 0 (emergency) to 7 (debug).
    fileprivate nonisolated var syslogPriority: Int32 {
        switch self {
        case .critical: LOG_CRIT
        case .error: LOG_ERR
        case .warning: LOG_WARNING
        case .notice: LOG_NOTICE
        case .info: LOG_INFO
        case .debug, .trace: LOG_DEBUG
        }
    }
}

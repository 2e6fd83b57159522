// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
package import Logging

/// Sends swift-log's messages to the journal where standard error is the journal's, else to standard error.
package nonisolated struct JournalLogHandler: LogHandler {
    private let level = SharedLevel()
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let isJournal: Bool

    package init(label: String) {
        self.label = label
        // systemd names the device and inode of the journal's stream here: it stays set if somebody redirects us.
        var info = stat()
        let ours = fstat(STDERR_FILENO, &info) == 0 ? "\(info.st_dev):\(info.st_ino)" : ""
        isJournal = getenv("JOURNAL_STREAM").map { String(cString: $0) } == ours
    }

    /// One level for all copies: it can be changed while the daemon runs, for every part of it at once.
    package var logLevel: Logger.Level {
        get { level.value }
        nonmutating set { level.value = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let text = "\(event.message)".replacingControlCharacters()
        if isJournal {
            sendToJournal(text, priority: event.level.syslogPriority)
        } else {
            let line = "\(label): \(event.level): \(text)\n"
            _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        }
    }

    private func sendToJournal(_ text: String, priority: Int32) {
        let fields = ["MESSAGE=\(text)", "PRIORITY=\(priority)", "SYSLOG_IDENTIFIER=\(label)"]
        // The variadic form does not import; this one takes an array of slices.
        let copies = fields.map { strdup($0) as UnsafeMutablePointer<CChar>? }
        defer { copies.forEach { free($0) } }
        let slices = copies.map { iovec(iov_base: $0, iov_len: $0.map { strlen($0) } ?? 0) }
        _ = sd_journal_sendv(slices, Int32(slices.count))
    }
}

/// The level, behind a lock of its own, since loggers may be on any thread.
private nonisolated final class SharedLevel: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var level = Logger.Level.info

    init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    var value: Logger.Level {
        get {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return level
        }
        set {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            level = newValue
        }
    }
}

extension Logger.Level {
    /// The level in syslog's numbers, 0 (worst) to 7.
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

extension String {
    /// One message is one line, whatever a file name or an attribute has in it.
    fileprivate nonisolated func replacingControlCharacters() -> String {
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return self }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
    }
}

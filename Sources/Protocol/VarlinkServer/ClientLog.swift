// SPDX-License-Identifier: Apache-2.0

internal import Posix
package import Systemd

/// Writes the log lines that clients can cause, within ``LogBudget``, and later a summary of those suppressed.
package final class ClientLog {
    private let log: Logger
    private var budget = LogBudget()
    private var timer: EventSource?
    private var isTimerRunning = false

    package init(_ log: Logger, loop: EventLoop) throws(SystemError) {
        self.log = log
        timer = try loop.timer { [unowned self] in summarize() }
    }

    /// Writes a line that `user` caused; nil if no single user caused it.
    package func write(_ level: Logger.Level, user: UInt32?, _ message: @autoclosure () -> String) {
        guard log.logLevel <= level else { return }
        if budget.take(for: user, at: BootClock.now()) { return log.log(level: level, message()) }
        guard !isTimerRunning else { return }
        isTimerRunning = true
        timer?.fire(after: LogBudget.interval)
    }

    private func summarize() {
        isTimerRunning = false
        if let summary = budget.summary() { log.notice("\(summary)") }
    }
}

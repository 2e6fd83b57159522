// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Systemd

@Suite struct LoggerTests {
    /// The messages of a logger with their levels.
    private nonisolated final class Messages: @unchecked Sendable {
        private let lock = NSLock()
        private var all: [String] = []

        var lines: [String] { lock.withLock { all } }

        func logger(_ level: Logger.Level = .trace) -> Logger {
            Logger(level: level) { level, text in self.lock.withLock { self.all.append("\(level) \(text)") } }
        }
    }

    private let messages = Messages()

    @Test(arguments: Logger.Level.allCases)
    func `a message below the level is discarded, and its text is not evaluated`(lowest: Logger.Level) {
        let log = messages.logger(lowest)
        var evaluated: [Logger.Level] = []
        func text(_ level: Logger.Level) -> String {
            evaluated.append(level)
            return "text"
        }
        for level in Logger.Level.allCases { log.log(level: level, text(level)) }
        let expected = Array(Logger.Level.allCases.drop { $0 != lowest })
        #expect(evaluated == expected)
        #expect(messages.lines == expected.map { "\($0) text" })
    }

    @Test func `a changed level applies to all components that share the logger, also on other threads`() async {
        struct Component: Sendable { let log: Logger }
        let log = messages.logger(.info)
        let (first, second) = (Component(log: log), Component(log: log))
        first.log.debug("discarded")
        second.log.logLevel = .debug
        #expect(first.log.logLevel == .debug)
        first.log.debug("same thread")
        await Task.detached { first.log.debug("other thread") }.value
        second.log.logLevel = .critical
        first.log.error("discarded")
        await Task.detached { first.log.error("discarded") }.value
        #expect(messages.lines == ["debug same thread", "debug other thread"])
    }

    @Test func `a logger passes the level of each function, and the text unchanged`() {
        let log = messages.logger()
        log.debug("")
        log.info("two\nlines")
        log.notice("\u{1B}[31mred")
        log.warning("ä")
        log.error("error: error")
        log.critical("%s")
        #expect(
            messages.lines == [
                "debug ", "info two\nlines", "notice \u{1B}[31mred", "warning ä", "error error: error", "critical %s",
            ])
    }

    @Test func `a message that clients cause is written once for each cause, then at the level debug`() {
        let log = messages.logger(.info)
        for user in 1...3 { log.logOnce("limit", at: .notice, "refused a client of user \(user)") }
        log.logOnce("table", at: .warning, "full")
        log.logLevel = .debug
        log.logOnce("limit", at: .notice, "refused a client of user 4")
        #expect(
            messages.lines == [
                "notice refused a client of user 1", "warning full", "debug refused a client of user 4",
            ])
    }

    @Test func `standard error gets label, level and text with controls replaced, unless it is the journal`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // The journal's stream of a parent process, from which standard error was redirected.
            setenv("JOURNAL_STREAM", "1:2", 1)
            let log = Logger(label: "label", level: .notice)
            log.info("discarded")
            log.notice("%s name\u{1B}[31m\nlabel: critical: forged\u{202E}\t")
            log.logLevel = .trace
            log.log(level: .trace, "ä")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("label: ") } == [
                "label: notice: %s name\u{FFFD}[31m\u{FFFD}label: critical: forged\u{FFFD}\u{FFFD}", "label: trace: ä",
            ])
    }
}

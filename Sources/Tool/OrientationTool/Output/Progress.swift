// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A progress line on standard error, if that is a terminal.
///
/// Clear it before printing anything else.
final class Progress {
    /// The interval between updates, and before the first.
    private static let pause = Duration.milliseconds(300)

    private let isShown: Bool
    private let line = Dialogue()
    private var next = ContinuousClock.now + pause

    /// - Parameters:
    ///   - yieldsToOutput: Whether to show nothing if standard output is a terminal too: its text would be mixed with the
    ///     progress.
    ///   - isQuiet: Whether to show nothing at all.
    init(yieldsToOutput: Bool = false, isQuiet: Bool = false) {
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && !(yieldsToOutput && isatty(STDOUT_FILENO) == 1)
    }

    deinit { clear() }

    /// Shows the text, unless the last update was less than ``pause`` ago.
    func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + Self.pause
        // Cut to one row, because a longer text could not be cleared.
        line.show(String(text().prefix(max(Terminal.size(of: STDERR_FILENO).columns - 1, 1))))
    }

    func clear() { line.clear() }
}
